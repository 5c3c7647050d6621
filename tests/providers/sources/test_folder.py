"""A folder's text and Markdown files become articles; a bad file is a row with a reason, a bad folder an error."""

import os
from pathlib import Path

import pytest

from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters
from providers.sources.folder import UNSORTED, Folder
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError

ECONOMICS, SOCIETY = Domain("economics", ()), Domain("society", ())
BOTH = (ECONOMICS, SOCIETY)
WORDS = "word " * 99


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def find(folder: Path, *domains: Domain, limit: int = 100) -> tuple[list[Article], list[Failure]]:
    found = list(Folder(folder).find(domains or (ECONOMICS,), limit, ArticleFilters()))
    return [item for item in found if isinstance(item, Article)], [item for item in found if isinstance(item, Failure)]


def test_text_and_markdown_files_are_found_recursively_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "sub/deep/c.MARKDOWN", "picture.png", "table.csv"):
        write(tmp_path, name, f"{name} {WORDS}")
    articles, failures = find(tmp_path)
    assert [article.url for article in articles] == ["a.txt", "b.md", "sub/deep/c.MARKDOWN"]
    assert failures == []


def test_hidden_files_hidden_folders_and_links_that_lead_outside_are_left_alone(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/secret.txt", f"secret {WORDS}")
    folder = tmp_path / "inside"
    write(folder, "seen.txt", f"seen {WORDS}")
    write(folder, ".hidden.txt", f"hidden {WORDS}")
    write(folder, ".git/notes.txt", f"notes {WORDS}")
    (folder / "link.txt").symlink_to(outside)
    (folder / "linked").symlink_to(outside.parent)
    (folder / "dangling.txt").symlink_to(tmp_path / "nowhere.txt")
    os.mkfifo(folder / "pipe.txt")
    articles, failures = find(folder)
    assert [article.url for article in articles] == ["seen.txt"]
    assert [(failure.item, failure.detail) for failure in failures] == [("pipe.txt", "is not a regular file")]


def test_full_text_is_the_lead_with_its_sections_and_both_ways_take_the_same_files(tmp_path: Path) -> None:
    write(tmp_path, "long.md", f"# Rain\n\nrain {WORDS}\n\n## Kinds\n\nMany.\n\n## See also\n\nSnow")
    write(tmp_path, "plain.txt", f"plain {WORDS}\n\n## Not a heading here")
    write(tmp_path, "short.md", f"# Snow\n\nsnow\n\n## Kinds\n\n{WORDS}")
    leads, _ = find(tmp_path)
    found = list(Folder(tmp_path).find((ECONOMICS,), 100, ArticleFilters(text="full")))
    texts = [item.text for item in found if isinstance(item, Article)]
    assert texts == [f"{leads[0].text}\n\nKinds\n\nMany.", leads[1].text]


def test_the_title_is_the_front_matters_else_the_first_heading_else_the_file_name(tmp_path: Path) -> None:
    write(tmp_path, "1.md", f"---\ntitle: Given\n---\n# Heading\n\none {WORDS}")
    write(tmp_path, "2.md", f"# Heading\n\ntwo {WORDS}")
    write(tmp_path, "bank_runs_of 1930.txt", f"three {WORDS}")
    articles, _ = find(tmp_path)
    assert [article.title for article in articles] == ["Given", "Heading", "Bank runs of 1930"]


def test_the_text_of_markdown_is_its_lead_and_that_of_plain_text_the_whole(tmp_path: Path) -> None:
    write(tmp_path, "a.md", f"# Rain\n\n*One* {WORDS}\n\n## Kinds\n\nMany.")
    write(tmp_path, "b.txt", f"# Two\r\n\r\n{WORDS}")
    articles, _ = find(tmp_path)
    assert articles[0].text == f"One {WORDS}".strip()
    assert articles[1].text == f"# Two\n\n{WORDS}".strip()


def test_licence_and_time_come_from_front_matter_and_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", f"---\nlicence: CC0\n---\none {WORDS}")
    os.utime(path, (86400.9, 86400.9))  # one day after the epoch, and a bit
    write(tmp_path, "b.txt", f"two {WORDS}")
    articles, _ = find(tmp_path)
    assert [article.licence for article in articles] == ["CC0", "unknown"]
    assert articles[0].retrieved_at == "1970-01-02T00:00:00Z"
    assert articles[0].revision == ""


def test_a_files_domain_is_told_by_front_matter_then_by_the_deepest_folder_else_it_is_unsorted(tmp_path: Path) -> None:
    write(tmp_path, "a/society/1.txt", f"---\ndomain: economics\n---\none {WORDS}")
    write(tmp_path, "economics/Society/2.txt", f"two {WORDS}")
    write(tmp_path, "3.txt", f"three {WORDS}")
    articles, _ = find(tmp_path, *BOTH)
    assert {article.url: article.domain for article in articles} == {
        "a/society/1.txt": "economics",
        "economics/Society/2.txt": "society",
        "3.txt": UNSORTED,
    }


def test_a_file_that_tells_no_domain_belongs_to_the_only_one_asked_for(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", f"one {WORDS}")
    articles, _ = find(tmp_path, SOCIETY)
    assert [article.domain for article in articles] == ["society"]


def test_a_file_of_a_domain_that_is_not_asked_for_is_a_row(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", f"---\ndomain: health\n---\none {WORDS}")
    write(tmp_path, "b.txt", f"two {WORDS}")
    _, failures = find(tmp_path, *BOTH)
    assert [(failure.item, failure.reason, failure.detail) for failure in failures] == [
        ("a.txt", "rejected", "is of the domain 'health', which is not asked for (economics, society)")
    ]


def test_the_limit_holds_per_domain_and_reading_stops_when_all_are_full(tmp_path: Path) -> None:
    for name in ("economics/1.txt", "economics/2.txt", "society/1.txt"):
        write(tmp_path, name, f"---\ntitle: {name}\n---\n{name} {WORDS}")
    write(tmp_path, "zzz.txt", b"\xff")  # never reached
    articles, failures = find(tmp_path, *BOTH, limit=1)
    assert [article.url for article in articles] == ["economics/1.txt", "society/1.txt"]
    assert failures == []


@pytest.mark.parametrize(
    ("name", "content", "reason", "detail"),
    [
        ("bad.txt", b"caf\xe9", "input", "is not valid UTF-8 (byte 0xe9 at 3); save it as UTF-8"),
        ("bad.md", "---\ntitle: a\ntitle: b\n---\n", "input", "front matter: line 2: the key 'title' is given twice"),
        ("empty.txt", "", "rejected", "is empty"),
        ("blank.md", " \n\t\n", "rejected", "is empty"),
        ("short.md", "# Rain\n\nToo short.", "rejected", "has 2 words; at least 80 are needed (min_words)"),
        ("long.txt", "word " * 400_000, "rejected", "has 400,000 words; at most 800 are taken (max_words)"),
        ("huge.txt", b"a" * 10_000_001, "input", "has 10,000,001 bytes; at most 10,000,000 are read"),
        (
            "List of rains.txt",
            WORDS,
            "rejected",
            "is a list, index, outline, timeline or disambiguation page by its title",
        ),
        ("twin.txt", "good " + WORDS, "rejected", "has the same text as good.txt"),
    ],
)
def test_a_bad_file_is_a_row_with_a_reason_and_the_others_go_on(
    tmp_path: Path, name: str, content: str | bytes, reason: str, detail: str
) -> None:
    write(tmp_path, "good.txt", "good " + WORDS)
    write(tmp_path, name, content)
    articles, failures = find(tmp_path)
    assert [article.title for article in articles] == ["Good"]
    assert [(row.stage, row.item, row.reason, row.detail) for row in failures] == [("articles", name, reason, detail)]


def test_two_megabytes_of_markdown_give_their_lead_where_a_heading_ends_it(tmp_path: Path) -> None:
    write(tmp_path, "long.md", f"# Rain\n\n{WORDS}\n\n## More\n\n" + "word " * 400_000)
    articles, failures = find(tmp_path)
    assert [article.words for article in articles] == [99]
    assert failures == []


def test_a_folder_without_a_usable_file_is_an_error_that_names_the_first_file(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "")
    write(tmp_path, "b.txt", b"\xff")
    with pytest.raises(InputError) as caught:
        find(tmp_path)
    assert str(caught.value) == (
        f"source folder:{tmp_path}: no article can be used: a.txt is empty (the first of 2 not taken)"
    )


def test_a_folder_without_any_text_file_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf", "text")
    with pytest.raises(InputError, match=r"holds no \.txt, \.md or \.markdown file"):
        find(tmp_path)


def test_a_file_name_that_is_no_utf8_or_has_a_line_end_ends_up_as_one_printable_line(tmp_path: Path) -> None:
    name = os.fsdecode(b"bad\xff\nname.txt")
    write(tmp_path, name, f"one {WORDS}")
    write(tmp_path, f"x{name}", "")
    articles, failures = find(tmp_path)
    assert [(article.title, article.url) for article in articles] == [("Bad name", "bad? name.txt")]
    assert [failure.item for failure in failures] == ["xbad? name.txt"]
