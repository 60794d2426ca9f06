import Foundation

/// The measurements, compared with the targets.
struct Report: Encodable {
    let rows: [Row]
    let notes: [String: String]

    init(_ measured: Measurements) {
        var notes = measured.notes
        if let limit = measured["two.bare"], limit < 1.8 {
            notes["two cores"] = "The machine did not have two idle cores. Repeat the measurement on an idle machine."
        }
        self.notes = notes
        rows =
            Self.bare(measured) + Self.signedData(measured) + Self.receipts(measured) + Self.growth(measured)
            + Self.cores(measured) + Self.allocations(measured)
    }

    /// The rows and notes as one JSON object.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    private static func bare(_ measured: Measurements) -> [Row] {
        [("bare.p256", "P-256"), ("bare.p384", "P-384"), ("bare.rsa", "RSA-2048")].compactMap { name, curve in
            measured[name].map { Row(title: "bare \(curve) verification", name: name, value: $0, unit: .perSecond) }
        }
    }

    private static func signedData(_ measured: Measurements) -> [Row] {
        guard let p256 = measured["bare.p256"], let p384 = measured["bare.p384"] else { return [] }
        let chain = 1 / (2 / p384 + 1 / p256)
        let subjects = [
            ("jws.cached", "JWS transaction, chain cached", "P-256", p256, 0.66),
            ("jws.uncached", "JWS transaction, chain not cached", "2 P-384 + P-256", chain, 0.85),
            ("notification.cached", "notification with two JWS, chain cached", "P-256", p256, 0.23),
        ]
        return subjects.compactMap { name, title, basis, limit, target in
            measured[name].map {
                Row(
                    title: title, name: name, value: $0, unit: .perSecond, basis: basis, ratio: $0 / limit, target: .atLeast(target),
                    peers: peers(measured, name)
                )
            }
        }
    }

    private static func receipts(_ measured: Measurements) -> [Row] {
        guard let rsa = measured["bare.rsa"] else { return [] }
        let targets = [1: 0.40, 100: 0.12, 1000: 0.02]
        return Samples.purchaseCounts.compactMap { count in
            let name = "receipt.\(count)"
            return measured[name].map {
                Row(
                    title: "receipt of \(Double(count).formatted(0)) purchase\(count == 1 ? "" : "s"), chain cached", name: name, value: $0,
                    unit: .perSecond, basis: "RSA-2048", ratio: $0 / rsa, target: targets[count].map { .atLeast($0) },
                    peers: peers(measured, name)
                )
            }
        }
    }

    /// Returns rows for the cost of a purchase in receipts of different sizes, and for the speed of parsing.
    private static func growth(_ measured: Measurements) -> [Row] {
        var rows: [Row] = []
        if let few = measured["receipt.100"], let many = measured["receipt.10000"] {
            let each = 1e6 / many / 10_000
            rows.append(
                Row(
                    title: "each purchase in a receipt of 10,000", name: "receipt.entry", value: each, unit: .microseconds,
                    basis: "each in a receipt of 100", ratio: each / (1e6 / few / 100), target: .atMost(1.2)
                )
            )
        }
        for count in [100, 10_000] {
            guard let speed = measured["parse.\(count)"] else { continue }
            rows.append(
                Row(
                    title: "parsing a receipt of \(Double(count).formatted(0)), unverified", name: "parse.\(count)", value: speed,
                    unit: .megabytesPerSecond, target: .atLeast(100)
                )
            )
        }
        return rows
    }

    private static func cores(_ measured: Measurements) -> [Row] {
        let limit = measured["two.bare"] ?? 2
        let subjects = [
            ("two.bare", "two cores, bare P-256"), ("two.jws", "two cores, JWS, one verifier"),
            ("two.receipt", "two cores, receipt of 10, one verifier"),
        ]
        return subjects.compactMap { name, title in
            measured[name].map { gain in
                var row = Row(title: title, name: name, value: gain, unit: .times)
                if name != "two.bare" {
                    row.target = .atLeast(1.8)
                    row.basis = "bare: \(limit.formatted(2))"
                }
                return row
            }
        }
    }

    private static func allocations(_ measured: Measurements) -> [Row] {
        let subjects = [
            ("jws", "verified JWS transaction"), ("notification", "verified notification"), ("receipt", "verified receipt of 1"),
            ("entry", "parsed purchase of a receipt"),
        ]
        return subjects.compactMap { name, title in
            measured["allocations.\(name)"].map { Row(title: title, name: "allocations.\(name)", value: $0, unit: .allocations) }
        }
    }

    private static func peers(_ measured: Measurements, _ name: String) -> [String: Double] {
        measured.values.filter { $0.key != "tillroll" }.compactMapValues { $0[name] }
    }
}
