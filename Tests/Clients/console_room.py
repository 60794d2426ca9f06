"""A window of Chromium before a store's page, and what the checks of the page have in common.

Told by STORE in the environment where the stores are.
"""

import json
import os
import socket
import threading

from playwright.sync_api import expect

from story import Store

told = json.loads(os.environ["STORE"])
store = Store(told["url"])
SECTIONS = ["live", "customers", "catalog", "waiting", "notifications", "faults", "clock", "stores"]
# Machines that do something else as well are slow; only a check that fails waits so long.
expect.set_options(timeout=30_000)

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class Room:
    """A window with what it complained of, but for what a check `expects`."""

    def __init__(self, browser, expects=("status of 409",), **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.context.add_init_script(WATCH)
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.expects = expects
        self.complaints = []
        self.page.on("console", lambda message: self.complain(message.type, f"{message.text} {message.location.get('url', '')}"))
        self.page.on("pageerror", lambda error: self.complain("error", str(error)))

    def complain(self, kind, text):
        if kind in ("error", "warning") and not any(each in text for each in self.expects):
            self.complaints.append(text)

    def go(self, section, base=told["url"]):
        """Opens a section, without loading the page again where it is open, and waits until it is drawn."""
        if not self.page.url.startswith(f"{base}/console/"):
            self.page.goto(f"{base}/console/#/{section}")
        else:
            self.page.evaluate("hash => { location.hash = hash }", f"#/{section}")
        expect(self.page.locator(f'main[data-at="#/{section}"] h1').first).to_be_visible()
        expect(self.page.locator(f"[data-section={section.split('/')[0]}]")).to_have_attribute("aria-current", "page")
        return self.page


class Wire:
    """A port before the store's that can be cut and mended, as when the store is started anew."""

    def __init__(self, port):
        self.port, self.open, self.pairs = port, None, []
        self.mend(0)
        self.url = f"http://127.0.0.1:{self.open.getsockname()[1]}"

    def mend(self, port=None):
        place = port if port is not None else int(self.url.rsplit(":", 1)[1])
        self.open = socket.create_server(("127.0.0.1", place))
        threading.Thread(target=self.serve, args=(self.open,), daemon=True).start()

    def serve(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            self.pairs += [near, far]
            for source, sink in ((near, far), (far, near)):
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

    def cut(self):
        # Whoever is in accept() wakes only when the listener is shut down.
        self.open.shutdown(socket.SHUT_RDWR)
        self.open.close()
        for each in self.pairs:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.pairs = []
