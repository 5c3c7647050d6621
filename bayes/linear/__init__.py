"""The mathematics of Linear-LLM-SCM: linear-Gaussian structural causal models whose coefficients are elicited as text.

The words used here
-------------------
structural equation
    ``Y = b0 + b1*X1 + ... + bk*Xk + E_Y``: an intercept ``b0``, one coefficient per parent, and a Gaussian noise term
    of mean 0. Here the noise is read and set aside: only intercept and coefficients are elicited.
bounds
    The lowest and the highest value that a variable can take in its unit; either may be unknown.
truth
    The published coefficients, intercepts and noise standard deviations that elicited ones are scored against.
multi-parent variable
    A variable with two parents or more: only there do the coefficients have an order.
condition
    The same DAG asked for differently: other units, other bounds, or with spurious edges.

The model, its prompts and its four metrics are those of Yamaoka et al., "Linear-LLM-SCM: Benchmarking LLMs for
Coefficient Elicitation in Linear-Gaussian Causal Models". Like the rest of ``bayes``, nothing here touches a file or
calls a service.
"""
