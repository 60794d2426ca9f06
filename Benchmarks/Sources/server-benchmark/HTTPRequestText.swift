import Foundation

/// The bytes of an HTTP request to a measured server.
enum HTTPRequestText {
    static func get(_ path: String, _ fields: [String] = []) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8)
    }

    static func post(_ path: String, _ fields: [String] = [], _ body: [UInt8]) -> [UInt8] {
        let head = fields + ["Content-Type: application/json", "Content-Length: \(body.count)"]
        return Array("POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(head.map { $0 + "\r\n" }.joined())\r\n".utf8) + body
    }
}
