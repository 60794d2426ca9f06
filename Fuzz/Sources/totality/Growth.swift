import Foundation
import FuzzSupport

/// Input that can be made as large as one likes, to see that time and memory grow with it and no faster.
struct Growth {
    let name: String
    let kind: Sample.Kind
    /// The smallest size that is tried; twice and four times as much follow.
    let size: Int
    /// Input of about that size.
    let make: (Int) -> [UInt8]

    /// All of them, built around a genuine receipt and a genuine JWS.
    static func all(receipt: ReceiptShell, signedData: JWSShell) -> [Growth] {
        payloads(receipt) + containers(receipt) + signedDataPayloads(signedData)
    }

    private static func times(_ count: Int, _ bytes: [UInt8]) -> [UInt8] {
        Array(repeatElement(bytes, count: max(1, count)).joined())
    }

    private static func payloads(_ shell: ReceiptShell) -> [Growth] {
        let attributes = DER.values(in: DER.content(of: shell.payload))
        func repeating(_ name: String, _ attribute: [UInt8], size: Int) -> Growth {
            Growth(name: name, kind: .receipt, size: size) { size in
                let copies = times(size / attribute.count, attribute)
                return shell.wrapping(DER.value(0x31, attributes.joined() + copies))
            }
        }
        let longest = attributes.max { $0.count < $1.count } ?? []
        return [
            repeating("the same purchase again and again", longest, size: 3 << 20),
            repeating("attributes nobody knows", DER.attribute(4711, [0x05, 0x00]), size: 256 << 10),
            repeating("attributes nobody knows, too many", DER.attribute(4711, []), size: 3 << 20),
            repeating("the same bundle identifier again and again", attributes.first ?? [], size: 256 << 10),
            Growth(name: "one attribute of many bytes", kind: .receipt, size: 3 << 20) { size in
                shell.wrapping(DER.value(0x31, attributes.joined() + DER.attribute(4711, Array(repeating: 7, count: size))))
            },
            Growth(name: "one text of many bytes", kind: .receipt, size: 3 << 20) { size in
                let text = DER.value(0x0C, Array(repeating: UInt8(ascii: "a"), count: size))
                let others = attributes.filter { !$0.dropFirst(2).starts(with: DER.integer(3)) }
                return shell.wrapping(DER.value(0x31, others.joined() + DER.attribute(3, text)))
            },
            Growth(name: "a purchase of many attributes", kind: .receipt, size: 256 << 10) { size in
                let purchase = DER.value(0x31, times(size / 12, DER.attribute(4711, [])))
                return shell.wrapping(DER.value(0x31, attributes.joined() + DER.attribute(17, purchase)))
            },
        ]
    }

    private static func containers(_ shell: ReceiptShell) -> [Growth] {
        [
            Growth(name: "a payload in pieces of one byte", kind: .receipt, size: 3 << 20) { size in
                let pieces = times(size / 3 / max(1, shell.payload.count), shell.payload.flatMap { [0x04, 0x01, $0] })
                return shell.wrapping(octets: DER.indefinite(0x24, pieces))
            },
            Growth(name: "a payload in empty pieces", kind: .receipt, size: 3 << 20) { size in
                shell.wrapping(octets: DER.indefinite(0x24, times(size / 2, [0x04, 0x00])))
            },
            Growth(name: "sequences in each other", kind: .receipt, size: 3 << 20) { times($0 / 2, [0x30, 0x80]) },
            Growth(name: "strings in each other", kind: .receipt, size: 3 << 20) { size in
                shell.wrapping(octets: times(size / 2, [0x24, 0x80]))
            },
            Growth(name: "many certificates", kind: .receipt, size: 3 << 20) { size in
                shell.wrapping(octets: DER.value(0x04, shell.payload), certificates: shell.certificates(times: size / 3000))
            },
            Growth(name: "many signers", kind: .receipt, size: 3 << 20) { size in
                shell.wrapping(octets: DER.value(0x04, shell.payload), signers: shell.signers(times: size / 400))
            },
            Growth(name: "a receipt of more than 16 MiB", kind: .receipt, size: 17 << 20) { size in
                shell.wrapping(DER.value(0x31, times(size / 14, DER.attribute(4711, []))))
            },
            Growth(name: "zeros", kind: .receipt, size: 3 << 20) { Array(repeating: 0, count: $0) },
            Growth(name: "a length of four gigabytes", kind: .receipt, size: 3 << 20) { size in
                [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + Array(repeating: 0x30, count: size)
            },
        ]
    }

    private static func signedDataPayloads(_ shell: JWSShell) -> [Growth] {
        func payload(_ name: String, size: Int = 64 << 10, _ make: @escaping (Int) -> String) -> Growth {
            Growth(name: name, kind: .signedData, size: size) { shell.wrapping(payload: make($0 * 3 / 4)) }
        }
        return [
            payload("JSON: many members") { size in
                "{" + (0..<(size / 12)).map { #""k\#($0)":1"# }.joined(separator: ",") + "}"
            },
            payload("JSON: the same member again and again") { size in
                "{" + repeatElement(#""bundleId":"a""#, count: size / 15).joined(separator: ",") + "}"
            },
            payload("JSON: lists in each other") { String(repeating: "[", count: $0) },
            payload("JSON: objects in each other") { String(repeating: #"{"a":"#, count: $0 / 5) },
            payload("JSON: a list of many lists") { size in
                #"{"a":["# + repeatElement("[]", count: size / 3).joined(separator: ",") + "]}"
            },
            payload("JSON: one long text") { #"{"a":""# + String(repeating: "a", count: $0) + #""}"# },
            payload("JSON: one long text of escapes") { #"{"a":""# + String(repeating: #"\u00e9"#, count: $0 / 6) + #""}"# },
            payload("JSON: one long number") { #"{"a":"# + String(repeating: "9", count: $0) + "}" },
            payload("JSON: blanks") { String(repeating: " ", count: $0) + "{}" },
            Growth(name: "JWS: many certificates", kind: .signedData, size: 64 << 10) { size in
                shell.wrapping(certificates: Array(repeatElement(shell.certificates, count: size / 4000).joined()))
            },
            Growth(name: "JWS: dots", kind: .signedData, size: 3 << 20) { Array(repeating: UInt8(ascii: "."), count: $0) },
            Growth(name: "JWS: a body of many bytes", kind: .signedData, size: 3 << 20) { Array(repeating: UInt8(ascii: "A"), count: $0) },
        ]
    }
}
