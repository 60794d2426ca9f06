"""Plays the sample app in a pseudo-terminal, and checks it with its keys.

The environment variable SHOP_COMMAND has the path of the command. Each check prints one line of JSON: {"check": …, "ok": …, "detail": …}. If
SHOTS names a folder, each check writes its screens to it as text. Arguments are the names of checks to run.
"""

import fcntl
import html
import json
import os
import pty
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
import traceback

import pyte

COMMAND = os.environ["SHOP_COMMAND"]
SHOTS = os.environ.get("SHOTS")
# Busy machines are slow. Only a failed check waits for the whole timeout.
TIMEOUT = int(os.environ.get("SHOP_TIMEOUT", "60"))
KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "escape": "\x1b", "tab": "\t", "home": "\x1b[H",
    "page down": "\x1b[6~", "backspace": "\x7f", "interrupt": "\x03",
}


class Window:
    """A terminal in which the app runs."""

    def __init__(self, *arguments, columns=100, rows=36, environment=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            known = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
            os.execve(COMMAND, [COMMAND, "terminal", *arguments], {**known, **(environment or {})})
        self.resize(columns, rows)
        self.status, self.output, self.is_closed = None, b"", False
        self.before = termios.tcgetattr(self.terminal)

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, timeout):
        """Reads what the app writes meanwhile; returns whether it wrote anything."""
        if not select.select([self.terminal], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b""
        self.is_closed = not data
        self.output = (self.output + data)[-4096:]
        self.stream.feed(data)
        return bool(data)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, condition, what):
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end and not self.is_closed, f"expected {what}, found:\n{self.text()}"
            self.read(0.05)

    def see(self, *texts):
        for text in texts:
            self.until(lambda: text in self.text(), text)

    def lose(self, text):
        self.until(lambda: text not in self.text(), f"no {text}")

    def press(self, key):
        os.write(self.terminal, KEYS.get(key, key).encode())

    def focus(self):
        """The number of the row with the focus, and its text."""
        focused = ((row, line.partition("▸")[2]) for row, line in enumerate(self.screen.display) if "▸" in line)
        return next(((row, text.partition("│")[0].strip(" ▲▼")) for row, text in focused), (None, ""))

    def move(self, title):
        """Moves the focus to a row with a title, which a value may follow."""
        end = time.monotonic() + TIMEOUT
        while not self.is_focused(title):
            assert time.monotonic() < end, f"{title} can't be focused:\n{self.text()}"
            before = self.focus()
            self.press("down")
            for _ in range(20):
                if self.focus() != before:
                    break
                self.read(0.05)
            else:
                self.press("home")
                self.read(0.1)

    def is_focused(self, title):
        return f"{self.focus()[1]}  ".startswith(f"{title}  ")

    def select(self, title):
        """Moves the focus to a row that stays there. An effect of an earlier key, or one that is not carried out yet, can move it once more."""
        while True:
            self.move(title)
            while self.read(0.5):
                pass
            if self.is_focused(title):
                return

    def choose(self, title):
        """Presses a row."""
        self.select(title)
        self.press("enter")

    def show(self, number, title):
        """Shows a screen by its number."""
        self.press(str(number))
        self.see(title)

    def agree(self, title):
        """Presses the button that agrees, which a sheet focuses."""
        self.see(title, "▸")
        self.press("enter")
        self.lose(title)

    def buy(self, title, signs_in=False):
        self.agree(f"Buy {title}?")
        if signs_in:
            self.agree("Sign in to the App Store")

    def buy_sepia_filter(self):
        """Buys the filter on its screen, and signs in."""
        self.see("$0.99")
        self.show(2, "Sepia filter")
        self.choose("Buy")
        self.buy("Sepia filter", signs_in=True)
        self.see("Owned")

    def end(self):
        """Waits for the end of the app, and returns its exit status."""
        end = time.monotonic() + TIMEOUT
        while self.status is None and time.monotonic() < end:
            self.read(0.05)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.status = os.waitstatus_to_exitcode(status)
        while self.read(0):
            pass
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.terminal)


def prices(window):
    window.see("5 credits", "$0.99", "10 credits", "$1.99", "Quantity ‹ 1 ›")


def credits(window):
    window.see("$0.99")
    window.select("Buy")
    window.press("right")
    window.see("‹ 2 ›")
    window.press("right")
    window.see("‹ 3 ›")
    window.press("enter")
    window.see("Buy 5 credits?", "Quantity", "Total", "$2.97")
    shot(window, "sheet")
    window.agree("Buy 5 credits?")
    window.agree("Sign in to the App Store")
    window.see("15 credits", "Thank you!")
    window.choose("Buy a banana")
    window.see("14 credits", "One banana, as ordered.")


def cancel(window):
    window.see("$0.99")
    window.choose("Buy")
    window.see("Buy 5 credits?")
    window.press("escape")
    window.lose("Buy 5 credits?")
    window.see("0 credits")
    assert "canceled" not in window.text().lower() and "failed" not in window.text().lower()


def network(window):
    window.see("$0.99")
    window.show(6, "This phone")
    window.choose("Network")
    window.see("No network")
    window.show(1, "Network down?")
    window.show(6, "This phone")
    window.choose("Network")
    window.lose("No network")
    window.show(1, "Credits")
    window.lose("Network down?")


def restrictions(window):
    window.see("$0.99")
    window.show(6, "This phone")
    window.choose("Purchases allowed")
    window.see("Purchases allowed")
    window.show(1, "In-app purchases are not allowed.")
    # The screen is drawn from the top.
    window.lose("Quantity ‹")


def filters(window):
    def colors():
        return {window.screen.buffer[5][column].fg for column in range(2, 36)}

    window.see("$0.99")
    window.show(2, "Sepia filter")
    before = colors()
    window.choose("Buy")
    window.buy("Sepia filter", signs_in=True)
    window.see("Owned")
    window.choose("○ Sepia")
    window.see("● Sepia")
    assert not before & colors(), "the picture has the same colors"


def book(window):
    window.see("$0.99")
    window.show(3, "The Monkey Who Kept Receipts")
    window.choose("Buy")
    window.buy("The Monkey Who Kept Receipts", signs_in=True)
    window.choose("Read")
    window.see("The monkey had kept every receipt", "Page 1 of")
    window.choose("Next")
    window.see("Page 2 of")
    shot(window, "reader")
    window.press("escape")
    window.see("Owned")


def magazine(window):
    window.see("$0.99")
    window.show(4, "Canopy Plus")
    window.choose("Buy")
    window.buy("Canopy, the monthly magazine", signs_in=True)
    window.see("It renews on")
    window.show(6, "This phone")
    window.choose("Payment method valid")
    window.choose("+ 1 month")
    window.show(4, "The payment was declined. You can read until")
    window.show(6, "This phone")
    window.choose("Payment method valid")
    window.choose("+ 1 day")
    window.show(4, "It renews on")
    window.choose("Manage subscriptions")
    window.choose("Cancel subscription")
    window.see("does not renew")


def refund(window):
    window.see("$0.99")
    window.show(2, "Moonlight filter")
    window.select("Buy")
    window.press("down")
    window.press("enter")
    window.buy("Moonlight filter", signs_in=True)
    window.see("Owned")
    window.show(5, "Restore purchases")
    window.choose("Request a refund")
    window.see("I did not mean to buy this")
    window.choose("Request the refund")
    window.see("1 to decide in Controls")
    window.show(6, "A customer wants a refund for Moonlight filter.")
    window.choose("Grant the refund")
    window.show(5, "Refunded")


def restore(window):
    window.buy_sepia_filter()
    window.show(6, "This phone")
    window.choose("Kill the app")
    window.show(2, "The app is closed.")
    window.choose("MonkeyShop")
    window.see("Owned")
    window.show(6, "This phone")
    window.choose("Jane’s next phone")
    window.see("Jane’s phone 2")
    window.show(5, "Restore purchases")
    window.choose("Restore purchases")
    window.agree("Sign in to the App Store")
    window.see("[x] Sepia filter")
    window.agree("What do you want to restore?")
    window.see("Restored one purchase.")


def approval(window):
    window.see("$0.99")
    window.show(6, "This phone")
    window.choose("A child’s phone")
    window.see("Sam’s phone")
    window.show(1, "$0.99")
    window.choose("Buy")
    window.agree("Buy 5 credits?")
    window.agree("Sign in to the App Store")
    window.agree("Ask your parent to buy 5 credits?")
    window.see("Waiting for approval")
    window.show(6, "Sam wants 1 × 5 credits")
    window.choose("Approve")
    window.show(1, "5 credits")
    window.until(lambda: any(line.startswith(" 5 credits") and "$" not in line for line in window.screen.display), "a balance of 5")


def backup(window):
    window.see("$0.99")
    window.choose("Buy")
    window.buy("5 credits", signs_in=True)
    window.see("Thank you!")
    window.show(6, "This phone")
    window.choose("Back up")
    window.see("Restore the backup")
    window.show(1, "Credits")
    window.choose("Buy a banana")
    window.see("One banana, as ordered.")
    window.show(6, "This phone")
    window.choose("Network")
    window.see("No network")
    window.choose("Restore the backup")
    # The banana is missing in the backup, so that nothing can be spent until the server has answered.
    window.show(1, "Your purchases were restored from a backup")
    window.show(6, "This phone")
    window.choose("Network")
    window.lose("No network")
    window.show(1, "4 credits")


def vault(window):
    window.buy_sepia_filter()
    window.show(6, "This phone")
    window.choose("Edit the vault")
    window.show(2, "The vault was changed by another program")
    window.choose("Reset, then restore")
    window.see("Owned")


def receipt(window):
    window.buy_sepia_filter()
    window.show(5, "Receipt")
    window.choose("Receipt")
    window.see("signature verified", "Sepia filter")


def code(window):
    window.see("$0.99")
    window.show(5, "Redeem a code")
    window.choose("Redeem a code")
    window.see("Redeem an offer code")
    for key in ["B", "A", "N", "X", "backspace", "A", "N", "A", "enter"]:
        window.press(key)
    window.see("BANANA")
    window.press("enter")
    window.agree("Sign in to the App Store")
    window.see("Canopy, the monthly magazine")


def messages(window):
    window.see("$0.99")
    window.choose("Buy")
    window.buy("5 credits", signs_in=True)
    window.show(7, "submit signed transactions")
    window.choose("App → Server submit signed transactions")
    window.see("Request")


def resize(window):
    window.see("$0.99")
    window.resize(30, 8)
    window.see("The window is too small")
    window.resize(160, 40)
    window.see("$0.99", "Under the hood")
    shot(window, "wide")
    window.resize(44, 14)
    window.see("‹  Credits  ›")
    shot(window, "narrow")


def ends(window):
    window.see("$0.99")
    window.press("q")
    assert window.end() == 0, window.status
    assert window.output.endswith(b"\x1b[?1049l"), window.output[-40:]
    assert termios.tcgetattr(window.terminal)[:4] == window.before[:4], "the terminal stays raw"


def terminates(window):
    """Each signal that ends a program gives the terminal back, and so does control-C while the app starts."""
    for number in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT]:
        app = window if number == signal.SIGTERM else Window()
        try:
            app.see("$0.99")
            os.kill(app.process, number)
            assert app.end() == 0, f"{number}: {app.status}"
            assert b"\x1b[?1049l" in app.output, number
            assert termios.tcgetattr(app.terminal)[:4] == app.before[:4], f"the terminal stays raw after {number}"
        finally:
            if app is not window:
                app.close()
    starting = Window()
    try:
        starting.see("Opening …")
        starting.press("interrupt")
        starting.end()
        assert b"\x1b[?1049l" in starting.output
    finally:
        starting.close()


def killed(window):
    """Kills the whole process with SIGKILL: app, store and server."""
    folder = tempfile.mkdtemp()
    try:
        first = Window("--folder", folder)
        try:
            first.see("$0.99")
            first.choose("Buy")
            first.buy("5 credits", signs_in=True)
            first.see("Thank you!")
            first.choose("Buy")
            first.see("Buy 5 credits?")
            first.press("enter")
            os.kill(first.process, signal.SIGKILL)
            first.end()
        finally:
            first.close()
        second = Window("--folder", folder)
        try:
            second.see("$0.99")
            second.until(
                lambda: any(line.strip() in ("5 credits", "10 credits") for line in second.screen.display), "the balance")
            second.show(6, "This phone")
            second.show(1, "Credits")
            second.press("q")
            assert second.end() == 0
        finally:
            second.close()
    finally:
        shutil.rmtree(folder)


def german(window):
    window.see("0,99\u00a0€", "Guthaben", "Kaufen")
    window.press("tab")
    window.see("Filter")
    window.show(5, "Käufe wiederherstellen")


CHECKS = [
    (prices, {}), (credits, {}), (cancel, {}), (network, {}), (restrictions, {}), (filters, {"environment": {"COLORTERM": "truecolor"}}),
    (book, {}), (magazine, {}), (refund, {}), (restore, {}), (approval, {}), (backup, {}), (vault, {}), (receipt, {}), (code, {}),
    (messages, {}), (resize, {}), (ends, {}), (terminates, {}), (killed, {}), (german, {"environment": {"LANG": "de_DE.UTF-8"}}),
]


# The sixteen colors of a terminal, as in xterm's palette.
PALETTE = {"red": "#cd3131", "green": "#3ba55d", "brown": "#c8961e", "cyan": "#2aa1b3"}


def shot(window, name):
    """Writes the screen as text and as a page."""
    if not SHOTS:
        return
    with open(f"{SHOTS}/terminal-{name}.txt", "w", encoding="utf-8") as file:
        file.write(window.text() + "\n")

    def span(cell):
        front, back = (PALETTE.get(color, f"#{color}" if len(color) == 6 and color != "default" else default)
                       for color, default in [(cell.fg, "#d7dce2"), (cell.bg, "#16191d")])
        front, back = (back, front) if cell.reverse else (front, back)
        weight = "bold" if cell.bold else "normal"
        return f'<span style="color:{front};background:{back};font-weight:{weight}">{html.escape(cell.data)}</span>'

    rows = ["".join(span(window.screen.buffer[row][column]) for column in range(window.screen.columns)) for row in range(window.screen.lines)]
    with open(f"{SHOTS}/terminal-{name}.html", "w", encoding="utf-8") as file:
        file.write('<!doctype html><meta charset="utf-8"><body style="margin:0;background:#16191d">'
                   '<pre style="margin:16px;font:15px/18px DejaVu Sans Mono,monospace">' + "\n".join(rows) + "</pre>")


def run(work, options):
    began, window = time.monotonic(), None
    try:
        window = Window(**options)
        work(window)
        shot(window, work.__name__)
        ok, detail = True, f"{time.monotonic() - began:.1f} s"
    except Exception as error:
        ok, detail = False, "".join(traceback.format_exception(error))[-3500:]
    print(json.dumps({"check": work.__name__, "ok": ok, "detail": detail}), flush=True)
    if window:
        window.close()


if __name__ == "__main__":
    names = set(sys.argv[1:])
    for work, options in CHECKS:
        if not names or work.__name__ in names:
            run(work, options)
