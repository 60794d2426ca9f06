import Foundation
import PurchaseModel

/// The members of a token's header or payload, asked one by one; each that is not as it must be becomes a finding.
struct BackendClaims {
    private let values: [String: Data]
    private let place: String

    init(_ bytes: [UInt8], _ scanner: JSONScanner, place: String) {
        self.place = place
        values = Dictionary(
            scanner.members.map { (scanner.text($0.name), Data(bytes[$0.value])) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether there is such a member.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// A member that must be there, as text.
    func string(_ name: String, _ findings: inout [SigningFinding]) -> String? { value(name, &findings) }

    /// A member that must be there, as true or false.
    func bool(_ name: String, _ findings: inout [SigningFinding]) -> Bool? { value(name, &findings) }

    /// A member that must be there and have that value.
    func string(_ name: String, mustBe expected: String?, _ findings: inout [SigningFinding]) {
        if let text = string(name, &findings), let expected, text != expected { findings.append(.wrong("\(place).\(name)")) }
    }

    /// A date that must be there, in seconds, to the nearest millisecond.
    ///
    /// A NumericDate may have a fraction (RFC 7519, section 2), and what jwt-kit signs has one.
    func date(_ name: String, _ findings: inout [SigningFinding]) -> Timestamp? {
        guard let seconds: Double = value(name, &findings) else { return nil }
        // In milliseconds, every date since 1973 is above this; in seconds, none is for the next 3,000 years.
        guard seconds < 100_000_000_000 else {
            findings.append(.milliseconds("\(place).\(name)"))
            return Timestamp(milliseconds: Int64(exactly: seconds.rounded()) ?? .max)
        }
        return Timestamp(milliseconds: Int64(exactly: (seconds * 1000).rounded()) ?? .min)
    }

    /// A UUID in lower case that must be there.
    func uuid(_ name: String, _ findings: inout [SigningFinding]) {
        guard let text = string(name, &findings) else { return }
        if IdentifierText.uuid(text) == nil {
            findings.append(.wrong("\(place).\(name)"))
        } else if text != text.lowercased() {
            findings.append(.upperCase("\(place).\(name)"))
        }
    }

    private func value<Value: Decodable>(_ name: String, _ findings: inout [SigningFinding]) -> Value? {
        guard let json = values[name] else {
            findings.append(.missing("\(place).\(name)"))
            return nil
        }
        guard let value = try? JSONDecoder().decode(Value.self, from: json) else {
            findings.append(.wrong("\(place).\(name)"))
            return nil
        }
        return value
    }
}
