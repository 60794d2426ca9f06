"""A window of Chromium with a store's console, and shared code of the checks of the console.

The environment variable STORE has the URLs of the stores.
"""

import json
import os
import socket
import threading

from playwright.sync_api import expect

from scenarios import Store

addresses = json.loads(os.environ["STORE"])
store = Store(addresses["url"])
SECTIONS = ["live", "requests", "accounts", "devices", "catalog", "pending", "notifications", "faults", "clock", "stores"]
# Busy machines are slow. Only a failed check waits for the whole timeout.
expect.set_options(timeout=120_000)

# Notices stay until they are closed, because a check on a busy machine can come after the 12 seconds that the page shows them.
WATCH = """
const startTimer = window.setTimeout;
window.setTimeout = (call, after, ...rest) => after === 12_000 ? 0 : startTimer(call, after, ...rest);
window.violations = [];
addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class Window:
    """A window that records errors and warnings, except messages with a text in `expects`."""

    def __init__(self, browser, expects=("status of 409",), **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.context.add_init_script(WATCH)
        self.context.set_default_timeout(120_000)
        self.page = self.context.new_page()
        self.expects = expects
        self.problems = []
        self.page.on("console", lambda message: self.record_problem(message.type, f"{message.text} {message.location.get('url', '')}"))
        self.page.on("pageerror", lambda error: self.record_problem("error", str(error)))

    def record_problem(self, kind, text):
        if kind in ("error", "warning") and not any(each in text for each in self.expects):
            self.problems.append(text)

    def go(self, section, base=addresses["url"]):
        """Opens a section, and waits until the section is rendered; an open page is not reloaded."""
        if not self.page.url.startswith(f"{base}/console/"):
            self.page.goto(f"{base}/console/#/{section}")
        else:
            self.page.evaluate("hash => { location.hash = hash }", f"#/{section}")
        expect(self.page.locator(f'main[data-at="#/{section}"] h1').first).to_be_visible()
        expect(self.page.locator(f"[data-section={section.split('/')[0]}]")).to_have_attribute("aria-current", "page")
        return self.page


class BreakableProxy:
    """A proxy of a store that can be disconnected and reconnected, like a store that restarts."""

    def __init__(self, port):
        self.port, self.open, self.pairs = port, None, []
        self.reconnect(0)
        self.url = f"http://127.0.0.1:{self.open.getsockname()[1]}"

    def reconnect(self, port=None):
        number = port if port is not None else int(self.url.rsplit(":", 1)[1])
        self.open = socket.create_server(("127.0.0.1", number))
        threading.Thread(target=self.serve, args=(self.open,), daemon=True).start()

    def serve(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            self.pairs += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    @staticmethod
    def pump(source, sink):
        try:
            while part := source.recv(65_536):
                sink.sendall(part)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def disconnect(self):
        # A blocked accept() returns only after the listener is shut down.
        self.open.shutdown(socket.SHUT_RDWR)
        self.open.close()
        for each in self.pairs:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.pairs = []
