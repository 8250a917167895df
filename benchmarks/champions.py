"""Short runs of all learners with fixed seeds: a digest of every champion.

    python benchmarks/champions.py

As the signature of `plywise bench` stands for the searches, these digests stand for the learners:
a change that does not mean to alter what is learned leaves them as they are.
"""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = {
    "nhb": "connect4 cycles=3 matches=6 first_matches=6 nodes=300 seed=3",
    "treestrap": "connect4 rounds=3 games=20 depth=2 seed=3",
    "td": "draughts sets=2 games=20 depth=2 seed=3",
    "ls": "draughts generations=2 population=4 opponents=2 openings=2 sets=1 games=20 seed=3",
    "mp": "draughts sets=2 games=20 depth=2 boards=60 units=4 least=4 seed=3",
    "evolve": "draughts generations=4 population=6 depth=2 evaluator=blondie opening_plies=2 "
    "seed=3",
}


def champions(learner: str, arguments: str, folder: Path) -> str:
    """Run a learner; return the digest of all its champions."""
    command = [sys.executable, "-m", "plywise", "train", *arguments.split()]
    command += ["--learner", learner, "--run", str(folder), "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    digest = hashlib.sha256()
    for path in sorted((folder / "champions").glob("*.safetensors")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        for learner, arguments in RUNS.items():
            print(f"{learner:8} {champions(learner, arguments, Path(root) / learner)}", flush=True)


if __name__ == "__main__":
    main()
