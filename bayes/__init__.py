"""The mathematics of prism-bn: pure functions over discrete Bayesian networks.

The words used everywhere in this project
-----------------------------------------
variable, state
    A discrete random variable and one of its values. Every variable of an elicited network ends with the
    baseline state ``none``: nothing of what the other states name is the case.
parents, children
    An edge goes from a parent (cause) to a child (effect). Edges form a directed acyclic graph.
configuration
    One assignment of states to all parents of a variable. Configurations are ordered in C order over the parents
    in the order of ``parents``: the last parent changes fastest.
CPD
    Conditional probability distribution of a variable given its parents: a matrix with one row per state of the
    child and one column per configuration. Every column sums to 1. A variable without parents has one column.
marginal, joint
    P(C) and P(A1, ..., Ak, C). A *pairwise* joint has one parent, a *multi-parent* joint two or three. A joint array
    has one axis per parent, in order, and the child's axis last.
prior
    The CPD of a variable without parents: its marginal.
level, depth
    A root has level 0, any other variable one more than its highest parent. The depth of a network is its highest
    level.
connected induced subgraph
    A set of variables that hang together when directions are ignored, with every edge among them.

Three words of this project: a **backbone** is the source network elicited from one article; an **example** is one
connected induced subgraph of a backbone, re-rooted, with its own description; a **reference** is the network that an
extraction is scored against.

Nothing in this package imports another package of the project, touches a file or calls a service.
"""
