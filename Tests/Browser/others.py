"""Firefox by Marionette, and WebKit by WebDriver: what `chromium.py` does, as far as a look at a page needs it.

Nothing but Python's standard library, and a display of Xvfb for WebKit.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Browser:
    """A browser with one window. Use it in a `with` statement."""

    limit = 60

    def open(self, url):
        """Goes to an address and waits until all of it is loaded."""
        self.command("navigate", url=url)

    def run(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise."""
        return self.script(f"return ({expression})")

    def size(self, width, height):
        """Makes the page so many pixels wide and high, as far as the window can be so small."""
        self.frame = getattr(self, "frame", (0, 0))
        for _ in range(3):
            self.command("rect", width=width + self.frame[0], height=height + self.frame[1])
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                inner = self.run("[innerWidth, innerHeight]")
                if inner == [width, height]:
                    return
                time.sleep(0.1)
            self.frame = (self.frame[0] + width - inner[0], self.frame[1] + height - inner[1])

    def screenshot(self, path):
        """Writes what is seen as a PNG."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("screenshot")))

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Firefox(Browser):
    """Headless Firefox. Its messages are JSON behind their length, over a socket."""

    names = {
        "navigate": "WebDriver:Navigate", "rect": "WebDriver:SetWindowRect",
        "screenshot": "WebDriver:TakeScreenshot", "script": "WebDriver:ExecuteScript",
    }

    @staticmethod
    def find():
        return next(filter(None, map(shutil.which, ["firefox", "firefox-esr"])), None)

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="gallery-firefox-", dir="/tmp")
        with open(self.folder + "/user.js", "w", encoding="utf-8") as file:
            file.write('user_pref("marionette.port", 0);\nuser_pref("layout.css.devPixelsPerPx", "1.0");\n')
        self.process = subprocess.Popen(
            [self.find(), "--headless", "--marionette", "--no-remote", "--profile", self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1"})
        deadline = time.monotonic() + self.limit
        port = None
        while not port and time.monotonic() < deadline:
            time.sleep(0.1)
            try:
                with open(self.folder + "/MarionetteActivePort", encoding="ascii") as file:
                    port = int(file.read() or 0)
            except OSError:
                pass
        self.socket = socket.create_connection(("127.0.0.1", port), self.limit)
        self.stream = self.socket.makefile("rb")
        self.message()
        self.number = 0
        self.call("WebDriver:NewSession", {})
        return self

    def message(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.stream.read(1)
            if not byte:
                raise EOFError("Firefox has ended")
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def call(self, name, parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.message()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result

    def command(self, name, **parameters):
        if name == "screenshot":
            parameters = {"full": False, "hash": False}
        result = self.call(self.names[name], parameters)
        return result.get("value") if isinstance(result, dict) else result

    def script(self, text):
        return self.command("script", script=text, args=[])


class WebKit(Browser):
    """WebKitGTK's small browser, on a display of its own."""

    PLACES = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec"]
    names = {
        "navigate": ("POST", "url"), "rect": ("POST", "window/rect"), "screenshot": ("GET", "screenshot"),
        "script": ("POST", "execute/sync"),
    }

    @classmethod
    def browser(cls):
        paths = [f"{place}/webkit2gtk-{version}/MiniBrowser" for place in cls.PLACES for version in ["4.1", "4.0"]]
        return next(filter(os.path.exists, paths), None)

    @classmethod
    def find(cls):
        return shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and cls.browser()

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="gallery-webkit-", dir="/tmp")
        readable, writable = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writable), "-screen", "0", "2800x1800x24", "-nolisten", "tcp"],
            pass_fds=[writable], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writable)
        with os.fdopen(readable) as file:
            number = file.readline().strip()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={self.port}", "--host=127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": ":" + number, "HOME": self.folder, "GDK_BACKEND": "x11",
                 "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"})
        self.session = ""
        options = {"binary": self.browser(), "args": ["--automation"]}
        deadline = time.monotonic() + self.limit
        while True:
            try:
                answer = self.request("POST", "/session", {
                    "capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self.session = "/session/" + answer["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self.request("DELETE", "", None)
        except (OSError, RuntimeError):
            pass
        super().__exit__()
        self.display.terminate()
        self.display.wait()

    def request(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.session}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.limit) as reply:
                return json.loads(reply.read())["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.loads(error.read())["value"]["message"]) from None

    def command(self, name, **parameters):
        method, path = self.names[name]
        return self.request(method, "/" + path, parameters if method == "POST" else None)

    def script(self, text):
        return self.command("script", script=text, args=[])
