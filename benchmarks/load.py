"""A build of 200 articles against a service that fails now and then: ``python -m benchmarks.load [ARTICLES] [SHARE]``.

Every article must end complete or in ``failures`` with its reason, no request that was answered may be sent again, and
memory must stay flat. The service is scripted (:mod:`tests.providers.faulty`); four articles are refused every time and
four break it every time.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path

import pandas as pd

from tests.providers.faulty import write_articles

ROOT = Path(__file__).parents[1]
N_ODD = 4


def read_memory(pid: int) -> float:
    """Resident memory of a process in MB; 0 when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields.get("VmRSS", "0 kB").split()[0]) / 1024


def run_build(folder: Path, port: int) -> list[float]:
    """Build the articles of the folder; the memory of the process, every second."""
    catalogue = folder / "models.yaml"
    catalogue.write_text(
        f"load:model:\n  provider: openai-compatible\n  model: scripted\n  base_url: http://127.0.0.1:{port}/v1\n"
        "  context_tokens: 100000\n  max_output_tokens: 16000\n  concurrency: 32\n  timeout_seconds: 10\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-c",
        "from flows.cli import app; app()",
        "build",
        "--source",
        f"folder:{folder / 'articles'}",
    ]
    command += ["--domain", "society", "--per-domain", "10000", "--model", "load:model", "--examples", "400"]
    command += ["--data", str(folder / "data"), "--cache", str(folder / "cache")]
    environment = {**os.environ, "PRISM_MODELS": str(catalogue)}
    memory: list[float] = []
    with (folder / "output.txt").open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)  # noqa: S603
        while process.poll() is None:
            time.sleep(1)
            memory.append(read_memory(process.pid))
    return [size for size in memory if size]


def main(n: int, share: float) -> None:
    """Run the build and print what became of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_articles(folder / "articles", n, n_refused=N_ODD, n_broken=N_ODD)
        server = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "tests.providers.faulty", str(share)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        port = int(server.stdout.readline())
        try:
            started = time.monotonic()
            memory = run_build(folder, port)
            seconds = time.monotonic() - started
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/stats") as answer:
                stats = json.load(answer)
        finally:
            server.kill()
        print((folder / "output.txt").read_text()[-1500:])
        backbones = pd.read_parquet(folder / "data" / "backbones")
        failures = pd.read_parquet(folder / "data" / "failures")
        lost = failures[~failures["stage"].isin(["description"])].drop_duplicates("item")
        quarter = max(1, len(memory) // 4)
        print(f"{n} articles in {seconds:.0f} s: {len(backbones)} complete, {len(lost)} failed")
        print("reasons:", dict(Counter(lost["reason"])), "| all rows:", dict(Counter(failures["reason"])))
        print("service:", stats)
        print(
            f"memory: {memory[quarter]:.0f} MB after a quarter, {memory[2 * quarter]:.0f} MB after half, "
            f"{max(memory):.0f} MB at most, {memory[-1]:.0f} MB at the end"
        )


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(int(arguments[0]) if arguments else 200, float(arguments[1]) if len(arguments) > 1 else 0.05)
