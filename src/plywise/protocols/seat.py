"""The seat of a player that plays for another program: asked for one thing at a time."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plywise.game.record import Record
from plywise.protocols.thinking import Asker, Task, Thinking

if TYPE_CHECKING:
    from plywise.players import EngineSetup, Player


class Seat:
    """A player, and what it thinks about now."""

    def __init__(self, setup: "EngineSetup", asker: Asker) -> None:
        self.setup = setup
        self._asker = asker
        self._player: Player | None = None
        self._thinking: Thinking | None = None

    def change(self, **options: Any) -> None:
        """Set the player up anew; a setup that does not work leaves everything as it was."""
        self.finish()
        changed = replace(self.setup, **options)
        changed.make().close()
        self._dismiss()
        self.setup = changed

    def new_game(self) -> None:
        """Forget what was before."""
        self.finish()
        if self._player is not None:
            self._player.new_game(0)

    def get_ready(self) -> None:
        """Do what takes long, unless the player is busy already."""
        if self._thinking is None or self._thinking.is_over:
            self._ready_player()

    def _ready_player(self) -> "Player":
        if self._player is None:
            player = self.setup.make()
            player.new_game(0)
            self._player = player
        return self._player

    def think(self, record: Record, task: Task) -> None:
        """Begin to think; what was thought about before is finished first."""
        self.finish()
        self._thinking = Thinking(self._ready_player, record, task, self._asker)

    def stop(self) -> None:
        """Ask for the answer now."""
        if self._thinking is not None:
            self._thinking.stop()

    def hit(self) -> None:
        """Say that the expected move was played."""
        if self._thinking is not None:
            self._thinking.hit()

    def finish(self) -> None:
        """Wait until nothing is thought about; the answer is given first."""
        if self._thinking is not None:
            self._thinking.finish()
            self._thinking = None

    def close(self) -> None:
        """End everything."""
        self.finish()
        self._dismiss()

    def _dismiss(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None
