import Foundation
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import Synchronization

/// A message between the app, the App Store and the server, including the answer.
struct Message: Codable, Sendable, Identifiable {
    /// The sender and the recipient of a message; the raw value is a class in the style sheet.
    enum Route: String, Codable {
        case appToStore = "app-store"
        case appToServer = "app-server"
        case storeToServer = "store-server"
    }

    let id: Int
    let route: Route
    /// The method and the path of the request, such as `POST /device/v1/purchases`, or the type of the notification.
    let title: String
    /// The status of the response, such as `200`, or `no answer`.
    let answer: String
    let isFailure: Bool
    /// The JSON of the request; nil for an empty or too long body.
    let request: Data?
    /// The JSON of the response; nil for an empty or too long body.
    let response: Data?
}

/// The latest messages between one visitor's phones, App Store and server.
final class Messages: Sendable {
    private static let limit = 60
    /// The maximum length of a stored body in bytes; a longer body is not stored.
    private static let bodyLimit = 1 << 16

    private let recorded: @Sendable (Message) -> Void
    private let state = Mutex((all: [Message](), lastID: 0))
    private let notifications = Mutex<Set<String>>([])

    /// - Parameter recorded: Called with each message.
    init(recorded: @escaping @Sendable (Message) -> Void = { _ in }) {
        self.recorded = recorded
    }

    /// The messages, newest first.
    var all: [Message] { state.withLock { $0.all.reversed() } }

    func message(_ id: Int) -> Message? { state.withLock { $0.all.first { $0.id == id } } }

    /// Records the identifier of a notification, and returns whether the identifier is new.
    func isNew(_ notification: String) -> Bool { notifications.withLock { $0.insert(notification).inserted } }

    func add(_ route: Message.Route, _ title: String, _ answer: String, isFailure: Bool = false, _ request: Data?, _ response: Data?) {
        let message = state.withLock { state in
            state.lastID += 1
            let message = Message(
                id: state.lastID, route: route, title: title, answer: answer, isFailure: isFailure, request: Self.short(request),
                response: Self.short(response))
            state.all.append(message)
            if state.all.count > Self.limit { state.all.removeFirst() }
            return message
        }
        recorded(message)
    }

    private static func short(_ body: Data?) -> Data? { body.flatMap { (1...bodyLimit).contains($0.count) ? $0 : nil } }
}

/// Records the requests that a device sends to the store.
struct RecordingTransport: StoreTransport {
    let transport: any StoreTransport
    let messages: Messages
    let speed: NetworkSpeed

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        let title = "\(request.method) \(request.path.prefix { $0 != "?" })"
        do {
            let response = try await transport.send(request)
            messages.add(.appToStore, title, "\(response.status)", isFailure: response.status >= 400, request.body, response.body)
            return response
        } catch {
            messages.add(.appToStore, title, "no answer", isFailure: true, request.body, nil)
            throw error
        }
    }

    func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        guard var stream = try await transport.open(request) else { return nil }
        // Delay content only, because the store's events are short.
        if request.path.contains("/content/") { stream.body = stream.body.delivered(at: speed) }
        return stream
    }
}

extension Messages {
    /// The title of the messages that submit purchases to the server.
    static let submission = "POST /v1/purchases"

    /// Adds a message for a request that the app sent to the server, including the response.
    func add(_ exchange: ServerExchange) {
        let isFailure = exchange.status.map { $0 >= 400 } ?? true
        add(
            .appToServer, "\(exchange.method) \(exchange.path.prefix { $0 != "?" })", exchange.status.map { "\($0)" } ?? "no answer",
            isFailure: isFailure, exchange.request, exchange.response)
    }
}

/// Formats the JSON of a message for a reader: indented, with the payloads of signed data decoded.
enum ReadableJSON {
    private static let depthLimit = 12
    /// The maximum number of signed parts of a body that are verified.
    private static let signedLimit = 4
    /// The formatted text of an empty object.
    static let empty = text(Data("{}".utf8))

    static func text(_ body: Data?) -> String? {
        guard let body, let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) else { return nil }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        guard let data = try? JSONSerialization.data(withJSONObject: decoded(value, 0), options: options) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns each JWS with certificates in a body, up to `signedLimit`.
    static func signed(_ body: Data?) -> [String] {
        guard let body, let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) else { return [] }
        var found: [String] = []
        collect(value, 0, &found)
        return found
    }

    private static func collect(_ value: Any, _ depth: Int, _ found: inout [String]) {
        guard depth < depthLimit, found.count < signedLimit else { return }
        switch value {
        case let object as [String: Any]: for key in object.keys.sorted() { object[key].map { collect($0, depth + 1, &found) } }
        case let array as [Any]: for element in array { collect(element, depth + 1, &found) }
        case let text as String:
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            if parts.count == 3, let header = object(parts[0]) as? [String: Any], header["x5c"] != nil { found.append(text) }
        default: break
        }
    }

    private static func decoded(_ value: Any, _ depth: Int) -> Any {
        guard depth < depthLimit else { return value }
        switch value {
        case let object as [String: Any]: return object.mapValues { decoded($0, depth + 1) }
        case let array as [Any]: return array.map { decoded($0, depth + 1) }
        case let text as String: return payload(of: text).map { ["signed (JWS)": decoded($0, depth + 1)] } ?? text
        default: return value
        }
    }

    /// Returns the unverified payload of a compact JWS; nil for other text.
    private static func payload(of text: String) -> Any? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, object(parts[0]) is [String: Any] else { return nil }
        return object(parts[1])
    }

    private static func object(_ part: Substring) -> Any? {
        Data(base64URL: part).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    }
}
