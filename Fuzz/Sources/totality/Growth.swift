import Foundation
import FuzzSupport

/// Input of any size, to check that time and memory grow at most linearly.
struct Growth {
    let name: String
    let kind: Sample.Kind
    /// The smallest size.
    ///
    /// Twice and four times the size follow.
    let size: Int
    /// Returns input of about the given size.
    let make: (Int) -> [UInt8]

    /// Returns all growing inputs, based on a genuine receipt and a genuine JWS.
    static func all(receipt: ReceiptEnvelope, signedData: JWSEnvelope) -> [Growth] {
        payloads(receipt) + containers(receipt) + signedDataPayloads(signedData)
    }

    private static func times(_ count: Int, _ bytes: [UInt8]) -> [UInt8] {
        Array(repeatElement(bytes, count: max(1, count)).joined())
    }

    private static func payloads(_ envelope: ReceiptEnvelope) -> [Growth] {
        let attributes = DER.values(in: DER.content(of: envelope.payload))
        func repeating(_ name: String, _ attribute: [UInt8], size: Int) -> Growth {
            Growth(name: name, kind: .receipt, size: size) { size in
                let copies = times(size / attribute.count, attribute)
                return envelope.wrapping(DER.value(0x31, attributes.joined() + copies))
            }
        }
        let longest = attributes.max { $0.count < $1.count } ?? []
        return [
            repeating("a repeated purchase", longest, size: 3 << 20),
            repeating("unknown attributes", DER.attribute(4711, [0x05, 0x00]), size: 256 << 10),
            repeating("unknown attributes above the limit", DER.attribute(4711, []), size: 3 << 20),
            repeating("a repeated bundle identifier", attributes.first ?? [], size: 256 << 10),
            Growth(name: "one attribute of many bytes", kind: .receipt, size: 3 << 20) { size in
                envelope.wrapping(DER.value(0x31, attributes.joined() + DER.attribute(4711, Array(repeating: 7, count: size))))
            },
            Growth(name: "one string of many bytes", kind: .receipt, size: 3 << 20) { size in
                let text = DER.value(0x0C, Array(repeating: UInt8(ascii: "a"), count: size))
                let others = attributes.filter { !$0.dropFirst(2).starts(with: DER.integer(3)) }
                return envelope.wrapping(DER.value(0x31, others.joined() + DER.attribute(3, text)))
            },
            Growth(name: "a purchase of many attributes", kind: .receipt, size: 256 << 10) { size in
                let purchase = DER.value(0x31, times(size / 12, DER.attribute(4711, [])))
                return envelope.wrapping(DER.value(0x31, attributes.joined() + DER.attribute(17, purchase)))
            },
        ]
    }

    private static func containers(_ envelope: ReceiptEnvelope) -> [Growth] {
        [
            Growth(name: "a payload in chunks of one byte", kind: .receipt, size: 3 << 20) { size in
                let chunks = times(size / 3 / max(1, envelope.payload.count), envelope.payload.flatMap { [0x04, 0x01, $0] })
                return envelope.wrapping(octets: DER.indefinite(0x24, chunks))
            },
            Growth(name: "a payload in empty chunks", kind: .receipt, size: 3 << 20) { size in
                envelope.wrapping(octets: DER.indefinite(0x24, times(size / 2, [0x04, 0x00])))
            },
            Growth(name: "nested sequences", kind: .receipt, size: 3 << 20) { times($0 / 2, [0x30, 0x80]) },
            Growth(name: "nested strings", kind: .receipt, size: 3 << 20) { size in
                envelope.wrapping(octets: times(size / 2, [0x24, 0x80]))
            },
            Growth(name: "many certificates", kind: .receipt, size: 3 << 20) { size in
                envelope.wrapping(octets: DER.value(0x04, envelope.payload), certificates: envelope.certificates(times: size / 3000))
            },
            Growth(name: "many signers", kind: .receipt, size: 3 << 20) { size in
                envelope.wrapping(octets: DER.value(0x04, envelope.payload), signers: envelope.signers(times: size / 400))
            },
            Growth(name: "a receipt of more than 16 MiB", kind: .receipt, size: 17 << 20) { size in
                envelope.wrapping(DER.value(0x31, times(size / 14, DER.attribute(4711, []))))
            },
            Growth(name: "zeros", kind: .receipt, size: 3 << 20) { Array(repeating: 0, count: $0) },
            Growth(name: "a length of four gigabytes", kind: .receipt, size: 3 << 20) { size in
                [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + Array(repeating: 0x30, count: size)
            },
        ]
    }

    private static func signedDataPayloads(_ envelope: JWSEnvelope) -> [Growth] {
        func payload(_ name: String, size: Int = 64 << 10, _ make: @escaping (Int) -> String) -> Growth {
            Growth(name: name, kind: .signedData, size: size) { envelope.wrapping(payload: make($0 * 3 / 4)) }
        }
        return [
            payload("JSON: many members") { size in
                "{" + (0..<(size / 12)).map { #""k\#($0)":1"# }.joined(separator: ",") + "}"
            },
            payload("JSON: a repeated member") { size in
                "{" + repeatElement(#""bundleId":"a""#, count: size / 15).joined(separator: ",") + "}"
            },
            payload("JSON: nested lists") { String(repeating: "[", count: $0) },
            payload("JSON: nested objects") { String(repeating: #"{"a":"#, count: $0 / 5) },
            payload("JSON: a list of many lists") { size in
                #"{"a":["# + repeatElement("[]", count: size / 3).joined(separator: ",") + "]}"
            },
            payload("JSON: one long string") { #"{"a":""# + String(repeating: "a", count: $0) + #""}"# },
            payload("JSON: one long string of escapes") { #"{"a":""# + String(repeating: #"\u00e9"#, count: $0 / 6) + #""}"# },
            payload("JSON: one long number") { #"{"a":"# + String(repeating: "9", count: $0) + "}" },
            payload("JSON: spaces") { String(repeating: " ", count: $0) + "{}" },
            Growth(name: "JWS: many certificates", kind: .signedData, size: 64 << 10) { size in
                envelope.wrapping(certificates: Array(repeatElement(envelope.certificates, count: size / 4000).joined()))
            },
            Growth(name: "JWS: dots", kind: .signedData, size: 3 << 20) { Array(repeating: UInt8(ascii: "."), count: $0) },
            Growth(name: "JWS: a body of many bytes", kind: .signedData, size: 3 << 20) { Array(repeating: UInt8(ascii: "A"), count: $0) },
        ]
    }
}
