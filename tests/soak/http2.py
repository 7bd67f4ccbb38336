#!/usr/bin/env python3
"""A client over HTTP/2 that asks for hundreds of answers and takes none of them: the server
ends its connection, and answers others. Needs h2 (PyPI) and openssl; some seconds.

    tests/soak/http2.py target/release/deals
"""

import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile

import h2.connection
import h2.events
import h2.settings

PORT = 8091


def connect():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context.wrap_socket(socket.create_connection(("127.0.0.1", PORT), 10))


def ask(connection, stream, times):
    """Asks so often, or until the server hangs up; tells how often."""
    for asked in range(times):
        try:
            number = connection.get_next_available_stream_id()
            headers = [(":method", "GET"), (":authority", "a"), (":scheme", "https")]
            connection.send_headers(number, headers + [(":path", "/product/get-products")], end_stream=True)
            stream.sendall(connection.data_to_send())
        except OSError:
            return asked
    return times


folder = tempfile.TemporaryDirectory()
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem"]
    + ["-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost"],
    cwd=folder.name, check=True, stderr=subprocess.DEVNULL,
)
server = subprocess.Popen(
    [pathlib.Path(sys.argv[1]).resolve(), "serve", "--demo", "--listen", f"127.0.0.1:{PORT}"]
    + ["--tls-cert", "cert.pem", "--tls-key", "key.pem"],
    cwd=folder.name, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
)
try:
    assert server.stdout.readline().startswith("listening on https://")
    greedy = h2.connection.H2Connection()
    greedy.local_settings[h2.settings.SettingCodes.INITIAL_WINDOW_SIZE] = 0
    greedy.initiate_connection()
    stream = connect()
    stream.sendall(greedy.data_to_send())
    ask(greedy, stream, 1000)
    stream.settimeout(10)
    try:
        while stream.recv(65536):
            pass
    except (ConnectionError, ssl.SSLEOFError):
        # It may reset the connection, too.
        pass
    print("ok: the server hung up on who asked for too much")
    modest = h2.connection.H2Connection()
    modest.initiate_connection()
    stream = connect()
    stream.sendall(modest.data_to_send())
    assert ask(modest, stream, 10) == 10
    ended = 0
    while ended < 10:
        events = modest.receive_data(stream.recv(65536))
        for event in events:
            if isinstance(event, h2.events.DataReceived):
                modest.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            ended += isinstance(event, h2.events.StreamEnded)
        stream.sendall(modest.data_to_send())
    print("ok: ten answers at once were given to another")
finally:
    server.terminate()
    server.wait()
    folder.cleanup()
