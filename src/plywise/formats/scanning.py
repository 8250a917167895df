"""PGN read by compiled code: tags, moves, comments and results from bytes, game after game.

A page is a part of a file in memory. The scanner goes over it once; a game that is cut off by the
page's end is left for the next page, which begins with it. What is wrong in a game is noted, and
the rest of the game is passed over: a broken game never harms the next one.

A game begins with a tag, a word or a comment. It ends with its result, where the next game's tags
begin, or where the file ends.
"""

import functools
from typing import Any

import numpy as np

from plywise.game.reading import AMBIGUOUS, LAST_MOVE, PASS, UNREADABLE
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Whole, Word

# Tags that the scanner itself asks for; those that a reader wants follow.
OWN_TAGS = ("Event", "Result", "FEN", "SetUp", "Variant", "Game")
EVENT, RESULT, FEN, SETUP, VARIANT, GAME = range(6)

# Why the scanner stops.
READ, FULL, START = range(3)  # all read; no room; Python has to tell the first position
NEXT = 3  # inside only: read on

# What is wrong with a game.
NOT_LEGAL, UNCLEAR, NO_MOVE, NULL_MOVE, BAD_TAG, OPEN_COMMENT, OPEN_VARIATION, STRAY, BAD_START = (
    range(9)
)

# What a note is.
COMMENT, GLYPH, MARK, VARIATION = range(4)

PAGE_BYTES = 1 << 22  # a game that is longer is broken
MOST_GAMES = 1 << 13  # of a page
MOST_NAMES, NAME_BYTES = 64, 1 << 11  # of tags
NOWHERE = -1
NO_SCORE = 2  # the game was broken off, or nobody knows
NO_RESULT = 3  # a word that is no result


@functools.cache
def page_type(words: int) -> np.dtype[Any]:
    """Return the type of a page: one record, so one pointer in kernels; places are in its text."""
    fields = [
        ("text", np.uint8, (PAGE_BYTES,)),
        ("names", np.uint8, (NAME_BYTES,)),  # of all wanted tags, one after the other
        ("name_ends", np.int64, (MOST_NAMES,)),  # where each name ends
        ("name_count", np.int64),
        ("game_name", np.uint8, (NAME_BYTES,)),
        ("game_name_length", np.int64),
        ("moves", np.uint64, (PAGE_BYTES // 2,)),  # of all games, one after the other
        ("ends", np.int64, (MOST_GAMES,)),  # [game]: how many moves there are up to its end
        ("scores", np.int8, (MOST_GAMES,)),  # [game]: 1, 0 or -1 for side 0, or NO_SCORE
        ("starts", np.uint64, (MOST_GAMES, words)),  # [game]: its first position
        ("heads", np.int32, (MOST_GAMES, 2)),  # [game]: where it begins, and where its moves do
        ("tags", np.int32, (MOST_GAMES, MOST_NAMES, 2)),  # [game, name]: a value's place and stop
        ("notes", np.int32, (PAGE_BYTES, 4)),  # moves before, kind, place and stop
        ("note_ends", np.int64, (MOST_GAMES,)),  # [game]: how many notes there are up to its end
        ("faults", np.int32, (MOST_GAMES, 4)),  # kind, place and stop, moves before
        ("keeps_notes", np.bool_),
        ("length", np.int64),  # of the text that is there
        ("place", np.int64),  # of what is read next
        ("games", np.int64),  # how many are read, as are the next ones
        ("plies", np.int64),
        ("note_count", np.int64),
        ("fault_count", np.int64),
        ("now", np.uint64, (words,)),  # the position that the game has reached, and what else
        ("begin", np.int64),  # is known of it: its place
        ("first_note", np.int64),
        ("first_fault", np.int64),
        ("tag_count", np.int64),
        ("depth", np.int64),  # of variations
        ("opened", np.int64),  # the place of the outermost variation
        ("has_begun", np.bool_),  # a move or a result was read
        ("is_given", np.bool_),  # Python has told the first position
        ("is_broken", np.bool_),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# ---------------------------------------------------------------- bytes


BLANK, WORD, OPEN_BRACE, CLOSE_BRACE, OPEN_PAREN, CLOSE_PAREN = range(6)
OPEN_BRACKET, CLOSE_BRACKET, SEMICOLON, DOLLAR, PERCENT = range(6, 11)
NEWLINE, QUOTE, BACKSLASH, DOT, HYPHEN = (ord(letter) for letter in '\n"\\.-')
DIGIT_0, DIGIT_1, DIGIT_9, STAR = (ord(letter) for letter in "019*")


def _classes() -> Any:
    """Return the class of every byte; whatever is nothing else is part of a word."""
    classes = np.full(256, WORD, np.int64)
    classes[: ord(" ") + 1] = BLANK
    for kind, letter in enumerate("{}()[];$%", OPEN_BRACE):
        classes[ord(letter)] = kind
    return classes


CLASSES = _classes()
IS_IN_WORD = (CLASSES == WORD) | (CLASSES == PERCENT)
IS_MARK = np.isin(np.arange(256), [ord(letter) for letter in "!?"])
IS_SIGN = np.isin(np.arange(256), [ord(letter) for letter in "+-=/~"])  # of evaluations: +/-
NEXT_EVENT = np.frombuffer(b'[Event "', np.uint8).copy()
WON = np.frombuffer(b"1-0", np.uint8).copy()
LOST = np.frombuffer(b"0-1", np.uint8).copy()
DRAWN = np.frombuffer(b"1/2-1/2", np.uint8).copy()
HALF = np.frombuffer(b"1/2", np.uint8).copy()


@compiled
def find(text: Any, byte: int, place: Whole, size: Whole) -> Whole:
    """Return the next place of a byte, or the size if there is none."""
    while place < size and text[place] != byte:
        place += 1
    return place


@compiled
def is_same(text: Any, begin: Whole, stop: Whole, wanted: Any) -> bool:
    """Return whether a part of the text is what is wanted."""
    if stop - begin != len(wanted):
        return False
    for offset in range(stop - begin):
        if text[begin + offset] != wanted[offset]:
            return False
    return True


@compiled
def is_line_begin(text: Any, place: Whole) -> bool:
    """Return whether nothing but blanks stands before a place in its line."""
    while place > 0 and text[place - 1] != NEWLINE:
        place -= 1
        if CLASSES[text[place]] != BLANK:
            return False
    return True


@compiled
def word_end(text: Any, place: Whole, size: Whole) -> Whole:
    while place < size and IS_IN_WORD[text[place]]:
        place += 1
    return place


@compiled
def comment_end(text: Any, place: Whole, size: Whole) -> Whole:
    """Return the place of the brace that ends a comment, or of the next game's first tag."""
    while place < size and CLASSES[text[place]] != CLOSE_BRACE:
        if text[place] == NEXT_EVENT[0] and text[place - 1] == NEWLINE:
            if is_same(text, place, min(size, place + len(NEXT_EVENT)), NEXT_EVENT):
                return place
        place += 1
    return place


@compiled
def score_of(text: Any, begin: Whole, stop: Whole) -> Whole:
    """Return the score that a word tells, NO_RESULT if it is no result."""
    if text[begin] == STAR:
        return NO_SCORE if stop == begin + 1 else NO_RESULT
    if text[begin] != DIGIT_1 and text[begin] != DIGIT_0:
        return NO_RESULT
    if is_same(text, begin, stop, WON):
        return 1
    if is_same(text, begin, stop, LOST):
        return -1
    if is_same(text, begin, stop, DRAWN) or is_same(text, begin, stop, HALF):
        return 0
    return NO_RESULT


@compiled
def after_number(text: Any, begin: Whole, stop: Whole) -> Whole:
    """Return the place behind a move's number with its dots, or the begin if there is none."""
    place = begin
    while place < stop and DIGIT_0 <= text[place] <= DIGIT_9:
        place += 1
    if place < stop and text[place] != DOT:
        return begin
    while place < stop and text[place] == DOT:
        place += 1
    return place


@compiled
def is_sign(text: Any, begin: Whole, stop: Whole) -> bool:
    """Return whether a word is an evaluation such as `+-` or `=`; `--` is none, but a pass."""
    has_other = False
    for place in range(begin, stop):
        if not IS_SIGN[text[place]]:
            return False
        has_other = has_other or text[place] != HYPHEN
    return has_other


# ---------------------------------------------------------------- a game and its parts


@compiled
def begin_game(page: Any, place: Whole) -> None:
    """Forget all that is known of the last game; the next one begins here."""
    page.place, page.begin = place, place
    page.first_note, page.first_fault = page.note_count, page.fault_count
    page.tag_count, page.depth = 0, 0
    page.has_begun, page.is_given, page.is_broken = False, False, False
    if page.games < MOST_GAMES:
        clear_tags(page)


@compiled
def clear_tags(page: Any) -> None:
    """Forget the tags of the game that is read."""
    for name in range(page.name_count):
        page.tags[page.games, name, 0] = NOWHERE


@compiled
def first_move(page: Any) -> Whole:
    """Return how many moves the games before this one have."""
    return page.ends[page.games - 1] if page.games > 0 else 0


@compiled
def drop_game(page: Any) -> None:
    """Forget the moves and notes of this game."""
    page.plies = first_move(page)
    page.note_count = page.first_note


@compiled
def add_fault(page: Any, kind: Whole, begin: Whole, stop: Whole) -> None:
    """Note what is wrong with the game, if nothing was wrong before."""
    if page.is_broken:
        return
    row = page.fault_count
    page.faults[row, 0], page.faults[row, 1], page.faults[row, 2] = kind, begin, stop
    page.faults[row, 3] = page.plies - first_move(page)
    page.fault_count += 1
    page.is_broken = True


@compiled
def add_note(page: Any, kind: Whole, begin: Whole, stop: Whole) -> None:
    """Keep a note, if notes are kept and this is none of a variation."""
    if not page.keeps_notes or page.depth > 0:
        return
    row = page.note_count
    page.notes[row, 0], page.notes[row, 1] = page.plies - first_move(page), kind
    page.notes[row, 2], page.notes[row, 3] = begin, stop
    page.note_count += 1


@compiled
def needs_start(page: Any) -> bool:
    """Return whether tags say something about the game's first position or other rules."""
    row = page.games
    if page.is_given:
        return False
    if page.tags[row, FEN, 0] >= 0 or page.tags[row, VARIANT, 0] >= 0:
        return True
    begin, stop = page.tags[row, GAME, 0], page.tags[row, GAME, 1]
    is_named = stop - begin == page.game_name_length
    for offset in range(stop - begin if begin >= 0 and is_named else 0):
        is_named = is_named and page.text[begin + offset] == page.game_name[offset]
    return begin >= 0 and not is_named


@compiled
def finish_game(page: Any, score: Whole, place: Whole) -> Whole:
    """End the game here; the tag of its result goes before what stands behind the moves."""
    row = page.games
    if page.depth > 0:
        add_fault(page, OPEN_VARIATION, page.opened, page.opened + 1)
    if page.is_broken:
        drop_game(page)
    else:
        begin, stop = page.tags[row, RESULT, 0], page.tags[row, RESULT, 1]
        if begin >= 0 and stop > begin:
            told = score_of(page.text, begin, stop)
            if told < NO_SCORE:
                score = told
        page.heads[row, 0] = page.begin
        page.scores[row] = score
        page.ends[row] = page.plies
        page.note_ends[row] = page.note_count
        page.games += 1
    begin_game(page, place)
    is_full = page.games == MOST_GAMES or page.fault_count == MOST_GAMES
    return FULL if is_full else NEXT


# ---------------------------------------------------------------- tokens


@compiled
def read_tag(page: Any, place: Whole) -> None:
    """Note where the value of a tag stands, `[Name "value"]`; a value may have quotes inside."""
    text = page.text
    line_end = find(text, NEWLINE, place, page.length)
    name = place + 1
    while name < line_end and CLASSES[text[name]] == BLANK:
        name += 1
    name_end = word_end(text, name, line_end)
    value = name_end
    while value < line_end and CLASSES[text[value]] == BLANK:
        value += 1
    page.tag_count += 1
    stop, behind = value, NOWHERE
    if name < name_end and value < line_end and text[value] == QUOTE:
        value += 1
        stop, behind = value_end(text, value, line_end)
    if behind == NOWHERE:
        add_fault(page, BAD_TAG, place, line_end)
        page.place = line_end
    else:
        note_tag(page, (name, name_end), (value, stop))
        page.place = behind


@compiled
def value_end(text: Any, place: Whole, line_end: Whole) -> tuple[Whole, Whole]:
    """Return the quote that ends a tag's value and the place behind the tag, or NOWHERE."""
    while place < line_end:
        if text[place] == BACKSLASH:
            place += 1
        elif text[place] == QUOTE:
            behind = place + 1
            while behind < line_end and CLASSES[text[behind]] == BLANK:
                behind += 1
            if behind < line_end and CLASSES[text[behind]] == CLOSE_BRACKET:
                return place, behind + 1
        place += 1
    return place, NOWHERE


@compiled
def note_tag(page: Any, name: tuple[Whole, Whole], value: tuple[Whole, Whole]) -> None:
    """Keep the place of a tag's value, if the tag is wanted."""
    begin = 0
    for which in range(page.name_count):
        end = page.name_ends[which]
        is_wanted = end - begin == name[1] - name[0]
        for offset in range(end - begin if is_wanted else 0):
            is_wanted = is_wanted and page.names[begin + offset] == page.text[name[0] + offset]
        if is_wanted:
            page.tags[page.games, which, 0] = value[0]
            page.tags[page.games, which, 1] = value[1]
        begin = end


@compiled
def ends_before_tag(page: Any, place: Whole) -> bool:
    """Return whether a bracket is the first of the next game's tags; a second Event is one."""
    if page.has_begun or (page.tag_count == 0 and page.is_broken):
        return is_line_begin(page.text, place)
    stop = place + len(NEXT_EVENT)
    has_event = page.tags[page.games, EVENT, 0] >= 0
    return has_event and stop <= page.length and is_same(page.text, place, stop, NEXT_EVENT)


@compiled
def read_comment(page: Any, place: Whole) -> None:
    """Go behind a comment in braces."""
    text = page.text
    end = comment_end(text, place + 1, page.length)
    if end == page.length or CLASSES[text[end]] != CLOSE_BRACE:
        add_fault(page, OPEN_COMMENT, place, place + 1)
        page.place, page.depth, page.has_begun = end, 0, True
    else:
        add_note(page, COMMENT, place + 1, end)
        page.place = end + 1


@compiled
def read_line(page: Any, place: Whole) -> None:
    """Go behind a comment, or what is not for us, that ends with its line."""
    line_end = find(page.text, NEWLINE, place, page.length)
    if CLASSES[page.text[place]] == SEMICOLON:
        add_note(page, COMMENT, place + 1, line_end)
    page.place = line_end


@compiled
def read_paren(page: Any, place: Whole) -> None:
    """Enter or leave a variation."""
    page.place = place + 1
    if CLASSES[page.text[place]] == OPEN_PAREN:
        if page.depth == 0:
            page.opened = place
        page.depth += 1
    elif page.depth == 0:
        add_fault(page, STRAY, place, place + 1)
    else:
        page.depth -= 1
        add_note(page, VARIATION, page.opened + 1, place)


@compiled
def read_glyph(page: Any, place: Whole) -> None:
    """Go behind a numeric glyph such as $14."""
    stop = place + 1
    while stop < page.length and DIGIT_0 <= page.text[stop] <= DIGIT_9:
        stop += 1
    if stop == place + 1:
        add_fault(page, STRAY, place, stop)
    else:
        add_note(page, GLYPH, place + 1, stop)
    page.place = stop


@compiled
def fault_of(answer: Word) -> Whole:
    """Return what is wrong with a move, by what the game's `read_move` answered."""
    if answer == UNREADABLE:
        return NO_MOVE
    if answer == AMBIGUOUS:
        return UNCLEAR
    return NULL_MOVE if answer == PASS else NOT_LEGAL


@compiled
def marks_begin(text: Any, begin: Whole, stop: Whole) -> Whole:
    """Return where the marks of strength at the end of a move begin."""
    while stop > begin and IS_MARK[text[stop - 1]]:
        stop -= 1
    return stop


@compiled
def play_word(game: Bundle, page: Any, begin: Whole, stop: Whole) -> None:
    """Play the move that a word names; numbers and evaluations are passed over."""
    text = page.text
    page.place = stop
    begin = after_number(text, begin, stop)
    if begin == stop or page.is_broken:
        return
    marks = marks_begin(text, begin, stop)
    if marks > begin and not is_sign(text, begin, stop):
        position = game.load(page.now)
        move = game.read_move(position, text, begin, marks)
        if move > LAST_MOVE:
            add_fault(page, fault_of(move), begin, stop)
            return
        page.moves[page.plies] = move
        page.plies += 1
        game.store(game.apply(position, move), page.now)
    if marks < stop:
        add_note(page, MARK, marks, stop)


@compiled
def begin_moves(game: Bundle, page: Any, place: Whole) -> bool:
    """Set up the first position; return whether it is known."""
    if needs_start(page):
        return False
    row = page.games
    if not page.is_given:
        game.store_at(game.initial(), page.starts, row)
    game.store(game.load_at(page.starts, row), page.now)
    page.heads[row, 1] = place
    page.has_begun = True
    return True


@compiled
def read_word(game: Bundle, page: Any, place: Whole, is_last: bool) -> Whole:
    """Take a word as a move, a number or a result; those of variations are passed over."""
    text = page.text
    stop = word_end(text, place, page.length)
    if page.depth > 0 or (stop == page.length and not is_last):
        page.place = stop
        return NEXT
    if not page.has_begun and not begin_moves(game, page, place):
        return START
    score = score_of(text, place, stop)
    if score != NO_RESULT:
        return finish_game(page, score, stop)
    play_word(game, page, place, stop)
    return NEXT


@compiled
def read_bracket(game: Bundle, page: Any, place: Whole) -> Whole:
    """Read a tag, or end the game before one that belongs to the next."""
    if ends_before_tag(page, place):
        if not page.has_begun and not begin_moves(game, page, place):
            return START
        return finish_game(page, NO_SCORE, place)
    if page.has_begun:
        add_fault(page, STRAY, place, place + 1)
        page.place = place + 1
        return NEXT
    if page.tag_count == 0:
        drop_game(page)  # comments before the tags are behind the last game's result
    read_tag(page, place)
    return NEXT


@compiled
def read_token(game: Bundle, page: Any, place: Whole, is_last: bool) -> Whole:
    """Read what stands at a place; return NEXT, or why the scanner cannot go on."""
    kind = CLASSES[page.text[place]]
    if kind == BLANK:
        page.place = place + 1
        if page.begin == place:
            page.begin = place + 1
        return NEXT
    if kind == PERCENT and place > 0 and page.text[place - 1] != NEWLINE:
        kind = WORD
    if kind == WORD:
        return read_word(game, page, place, is_last)
    if kind == OPEN_BRACKET:
        return read_bracket(game, page, place)
    if kind == OPEN_BRACE:
        read_comment(page, place)
    elif kind == DOLLAR:
        read_glyph(page, place)
    elif kind in (SEMICOLON, PERCENT):
        read_line(page, place)
    elif kind in (OPEN_PAREN, CLOSE_PAREN):
        read_paren(page, place)
    else:
        add_fault(page, STRAY, place, place + 1)
        page.place = place + 1
    return NEXT


@compiled
def read_page(game: Bundle, page: Any, is_last: bool) -> Whole:
    """Read on; return READ, FULL, or START where the first position has to be given.

    Unless this page `is_last`, a game that it cuts off is not read, and `page.place` is where
    that game begins.
    """
    while page.place < page.length:
        status = read_token(game, page, page.place, is_last)
        if status != NEXT:
            return status
    if not is_last:
        drop_game(page)
        page.fault_count = page.first_fault
        begin_game(page, page.begin)
        return READ
    if page.tag_count > 0 or page.has_begun or page.is_broken:
        if not page.has_begun and not begin_moves(game, page, page.length):
            return START
        finish_game(page, NO_SCORE, page.length)
    return READ


def rewind(page: Any) -> None:
    """Make room for more games, when those that were read have been taken."""
    page.games = page.plies = page.note_count = page.fault_count = 0
    page.first_note = page.first_fault = 0
    page.tags[0] = NOWHERE
