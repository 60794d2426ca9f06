import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@testable import PurchaseProof

/// Compares the decoder of payloads with Foundation's, which is the specification.
@Suite struct PayloadDecoderTests {
    /// JSON values of every type and form, which replace the values of members.
    static let values = [
        "null", "true", "false", "0", "-0", "1", "-1", "3", "1.0", "1.5", "-2.5e1", "1e3", "1E-2", "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616", "1e999", "1738326896001.485", #""""#, #""x""#, #""5""#, #""\u0041\n\ud83d\ude00\/""#, #""ä€😀""#, "[]",
        "[1,2]",
        #"[{"a":1},null]"#, "{}", #"{"a":{"b":[1]}}"#, " [ 1 , 2 ] ",
    ]

    /// Decodes with both decoders, and expects equal values, or errors at equal places.
    private func compare<Payload: Decodable & Equatable>(_ type: Payload.Type, _ json: String) throws {
        let scanner = try JSONScanner(Array(json.utf8))
        let mine = Result { try PayloadDecoder.decode(type, from: scanner) }
        let foundation = Result { try JSONDecoder().decode(type, from: Data(json.utf8)) }
        switch (mine, foundation) {
        case (.success(let mine), .success(let foundation)): #expect(mine == foundation, "\(json)")
        case (.failure(let mine as DecodingError), .failure(let foundation as DecodingError)):
            // For a number out of range, Foundation does not name the member.
            #expect(mine.place == foundation.place || foundation.place == "payload", "\(json)")
        default: Issue.record("\(json): \(mine), and with Foundation \(foundation)")
        }
    }

    private func compare<Payload: Decodable & Equatable>(_ members: [SignedPayloadTests.Member<Payload>]) throws {
        func json(_ members: [(name: String, json: String)]) -> String {
            "{" + members.map { "\"\($0.name)\" : \($0.json)" }.joined(separator: ",\n") + "}"
        }
        let all = members.map { (name: $0.name, json: $0.json) }
        try compare(Payload.self, json(all))
        for index in all.indices {
            var fewer = all
            fewer.remove(at: index)
            try compare(Payload.self, json(fewer))
            for value in Self.values {
                var other = all
                other[index].json = value
                try compare(Payload.self, json(other))
            }
        }
    }

    @Test func `payloads with any member missing or of another type decode as with Foundation, or fail at the same member`() throws {
        try compare(SignedPayloadTests.transaction)
        try compare(SignedPayloadTests.renewalInfo)
        try compare(SignedPayloadTests.appTransaction)
        try compare(SignedPayloadTests.realtimeRequest)
        for subject in SignedPayloadTests.subjects {
            for value in [subject.json] + Self.values {
                try compare(NotificationPayload.self, "{\"\(subject.name)\":\(value),\(SignedPayloadTests.notificationFrame)}")
            }
        }
    }

    /// A payload as a developer could write it, with values that Foundation decodes specially.
    private struct CustomPayload: Decodable, Equatable {
        enum Kind: String, Decodable {
            case one
            case two = "x"
        }
        struct Part: Decodable, Equatable { var a: Int? }

        var date: Date?
        var data: Data?
        var url: URL?
        var decimal: Decimal?
        var uuid: UUID?
        var float: Float?
        var double: Double?
        var small: UInt8?
        var large: UInt64?
        var kind: Kind?
        var flag: Bool?
        var part: Part?
        var parts: [Part?]?
        var numbers: [Int]?
        var names: [String: Int]?
        var tree: [String: [String: [Int]]]?
    }

    @Test(arguments: [
        "date", "data", "url", "decimal", "uuid", "float", "double", "small", "large", "kind", "flag", "part", "parts", "numbers", "names",
        "tree",
    ])
    func `a custom payload decodes as with Foundation`(member: String) throws {
        let special = [
            #""eHl6""#, #""https://example.com/a?b""#, #""7E3FB204-2BB7-4C4B-A6A0-8A9E1F8B7D21""#, "255", "256", "12345678.12345678",
            "3.5e38",
        ]
        for value in Self.values + special { try compare(CustomPayload.self, "{\"\(member)\": \(value) }") }
    }

    /// A payload that decodes itself with the rarely used functions of containers.
    private struct ManualPayload: Decodable, Equatable {
        enum Key: String, CodingKey { case object, array, missing }
        var texts: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            texts.append(
                "\(container.allKeys.map(\.rawValue).sorted()) \(container.contains(.missing)) \(try container.decodeNil(forKey: .object))")
            let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
            texts.append("\(object.codingPath.map(\.stringValue)) \(try object.decode(String.self, forKey: .array))")
            texts.append(try container.superDecoder(forKey: .object).container(keyedBy: Key.self).decode(String.self, forKey: .array))
            var array = try container.nestedUnkeyedContainer(forKey: .array)
            texts.append("\(try array.decodeNil()) \(array.currentIndex) \(array.count ?? -1)")
            texts.append("\(try array.decode(Bool.self)) \(try array.decode(Double.self)) \(try array.decodeNil())")
            var inner = try array.nestedUnkeyedContainer()
            texts.append("\(try inner.decode(Int8.self)) \(inner.isAtEnd) \(inner.codingPath.map(\.stringValue))")
            texts.append(try array.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .object))
            texts.append("\(try array.superDecoder().singleValueContainer().decode(Int.self)) \(array.isAtEnd)")
        }
    }

    @Test func `containers have nested containers, positions and paths`() throws {
        let json = #"{"object":{"array":"o"},"array":[null,true,1.5,[7],{"object":"p"},8],"other":1}"#
        let payload = try PayloadDecoder.decode(ManualPayload.self, from: JSONScanner(Array(json.utf8)))
        #expect(payload.texts.first == #"["array", "object"] false false"#)
        #expect(payload.texts.suffix(2) == ["p", "8 true"])
        try compare(ManualPayload.self, json)
        try compare(ManualPayload.self, #"{"object":{"array":"o"},"array":[null,true,1.5]}"#)
        try compare(ManualPayload.self, #"{"object":{"array":"o"},"array":{}}"#)
    }

    @Test func `members of long strings are found at every alignment`() throws {
        for length in 0..<40 {
            let text = String(repeating: "a", count: length)
            for end in ["", #"\""#, #"\\"#, "é", "\u{7F}"] {
                let json = "{\"\(text.prefix(length / 2))b\":\"\(text)\(end)\",\"z\":1}"
                try compare([String: JSONValue].self, json)
            }
            for control in ["\u{1F}", "\n", "\0"] {
                #expect(throws: JSONScanner.ScanError.self) { try JSONScanner(Array("{\"a\":\"\(text)\(control)aaaaaaaa\"}".utf8)) }
            }
        }
    }
}
