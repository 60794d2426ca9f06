import CoreFoundation
import Dispatch
import Foundation

/// Sends HTTP requests on several connections, and measures the time until each response is complete.
///
/// Each connection has one request at a time. One thread serves all connections.
struct LoadClient {
    /// The reason why a measurement failed.
    enum Failure: Error {
        case connection(Int32)
        case response(String)
        case timeout
    }

    let port: Int
    var connections = 64

    /// Sends requests until `next` returns nil, and waits for their responses, which must have status 200.
    ///
    /// - Parameter onResponse: Receives each response with its head, without the bytes of a body after the first mebibyte.
    func run(_ next: () -> [UInt8]?, onResponse: (ArraySlice<UInt8>) -> Void = { _ in }) throws -> LoadResult {
        var open = try (0..<connections).map { _ in try Connection(port: port) }
        defer { for connection in open { close(connection.descriptor) } }
        var result = LoadResult()
        let start = Self.nanoseconds
        var polled: [pollfd] = []
        var active = 0
        for index in open.indices {
            guard let request = next() else { break }
            try open[index].begin(request)
            polled.append(pollfd(fd: open[index].descriptor, events: open[index].events, revents: 0))
            active += 1
        }
        while active > 0 {
            guard poll(&polled, nfds_t(polled.count), 30_000) > 0 else { throw Failure.timeout }
            for index in polled.indices where polled[index].revents != 0 {
                if polled[index].revents & Int16(POLLOUT) != 0 { try open[index].write() }
                if polled[index].revents & Int16(POLLIN | POLLERR | POLLHUP) != 0, try open[index].read() {
                    result.microseconds.append(Double(Self.nanoseconds - open[index].started) / 1_000)
                    onResponse(open[index].response[...])
                    if let request = next() {
                        try open[index].begin(request)
                    } else {
                        polled[index].fd = -1
                        active -= 1
                    }
                }
                polled[index].events = open[index].events
            }
        }
        result.seconds = Double(Self.nanoseconds - start) / 1e9
        return result
    }

    /// Sends a request on each connection, reads a little of each response, and returns what `measure` returns while all are open.
    ///
    /// The rest of the responses is not read.
    func readSlowly<Value>(_ requests: [[UInt8]], rounds: Int, _ measure: () -> Value) throws -> [Value] {
        var open = try requests.map { _ in try Connection(port: port, receiveBuffer: 1 << 16) }
        defer { for connection in open { close(connection.descriptor) } }
        for index in open.indices { try open[index].begin(requests[index]) }
        return try (0..<rounds).map { _ in
            for index in open.indices {
                var polled = pollfd(fd: open[index].descriptor, events: open[index].events, revents: 0)
                guard poll(&polled, 1, 30_000) > 0 else { throw Failure.timeout }
                if polled.revents & Int16(POLLOUT) != 0 { try open[index].write() }
                if polled.revents & Int16(POLLIN) != 0 { _ = try open[index].read() }
            }
            return measure()
        }
    }

    /// Sends requests for a time, in turn.
    func run(_ requests: [[UInt8]], seconds: Double) throws -> LoadResult {
        let end = Self.nanoseconds + UInt64(seconds * 1e9)
        var index = Int.random(in: requests.indices)
        return try run {
            guard Self.nanoseconds < end else { return nil }
            index = (index + 1) % requests.count
            return requests[index]
        }
    }

    /// Sends each request once.
    func run(_ requests: [[UInt8]]) throws -> LoadResult {
        var rest = requests[...]
        return try run { rest.popFirst() }
    }

    fileprivate static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension LoadClient {
    /// Returns whether a server accepts connections on a port.
    static func isListening(_ port: Int) -> Bool {
        guard let connection = try? Connection(port: port) else { return false }
        close(connection.descriptor)
        return true
    }

    /// Returns a port on which no server listens now.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure.connection(errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// The results of requests.
struct LoadResult {
    /// The time of each response.
    var microseconds: [Double] = []
    /// The time from the first request to the last response.
    var seconds = 0.0

    /// The responses in a second.
    var rate: Double { Double(microseconds.count) / seconds }
    /// The time within which 99 of 100 responses are complete.
    var p99: Double { microseconds.isEmpty ? 0 : microseconds.sorted()[(microseconds.count - 1) * 99 / 100] }
}

/// A connection to a server on this machine.
private struct Connection {
    let descriptor: Int32
    /// The time when the present request was sent.
    private(set) var started: UInt64 = 0
    private var request: [UInt8] = []
    private var sent = 0
    /// The response so far, without the bytes after the first mebibyte.
    private(set) var response: [UInt8] = []
    private var received = 0
    /// The length of the present response; nil before its head is complete.
    private var length: Int?

    /// Connects to a port.
    ///
    /// - Parameter receiveBuffer: The size of the kernel's buffer in bytes; nil for the system's choice.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard descriptor >= 0, connected == 0 else {
            let code = errno
            close(descriptor)
            throw LoadClient.Failure.connection(code)
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        response.reserveCapacity(1 << 14)
    }

    /// The events for which the connection waits.
    var events: Int16 { Int16(sent < request.count ? POLLIN | POLLOUT : POLLIN) }

    mutating func begin(_ request: [UInt8]) throws {
        self.request = request
        sent = 0
        response.removeAll(keepingCapacity: true)
        received = 0
        length = nil
        started = LoadClient.nanoseconds
        try write()
    }

    /// Writes as many bytes of the request as the kernel accepts.
    mutating func write() throws {
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { throw LoadClient.Failure.connection(errno) }
            sent += count
        }
    }

    /// Reads the bytes that have arrived; returns whether the response is complete.
    mutating func read() throws -> Bool {
        let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0, response.count < 1 << 20 { response.append(contentsOf: buffer[..<count]) }
            return count
        }
        if count < 0, errno == EAGAIN { return false }
        guard count > 0 else { throw LoadClient.Failure.connection(errno) }
        received += count
        if length == nil { length = try parseHead() }
        return length.map { received >= $0 } ?? false
    }

    /// Returns the length of the response, with its head; nil if the head is incomplete.
    private func parseHead() throws -> Int? {
        var line = 0
        var content: Int?
        while let end = response[line...].firstIndex(of: UInt8(ascii: "\n")) {
            if end - line <= 1 {
                guard response.starts(with: "HTTP/1.1 200".utf8), let content else {
                    throw LoadClient.Failure.response(String(decoding: response, as: UTF8.self))
                }
                return end + 1 + content
            }
            let field = "content-length:".utf8
            if response[line] | 0x20 == UInt8(ascii: "c"),
                response[line..<end].lazy.map({ $0 | 0x20 }).starts(with: field.map { $0 | 0x20 })
            {
                content = Int(
                    String(decoding: response[line..<end].dropFirst(field.count), as: UTF8.self).trimmingCharacters(
                        in: .whitespacesAndNewlines))
            }
            line = end + 1
        }
        return nil
    }
}
