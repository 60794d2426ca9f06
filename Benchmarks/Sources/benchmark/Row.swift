/// One row of the table.
struct Row: Encodable {
    /// The description of the subject.
    let title: String
    /// The name of the subject in ``Measurements``.
    let name: String
    let value: Double
    let unit: Unit
    /// The basis of the comparison, and the value as a multiple of the basis.
    var basis: String?
    var ratio: Double?
    var target: Target?
    /// The values of other programs, by program.
    var peers: [String: Double] = [:]

    enum Unit: String, Encodable {
        case perSecond = "1/s"
        case megabytesPerSecond = "MB/s"
        case microseconds = "µs"
        case allocations
        case times
    }

    /// The target of the ratio, or of the value if there is no ratio.
    enum Target {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by number: Double) -> Bool {
            switch self {
            case .atLeast(let limit): number >= limit
            case .atMost(let limit): number <= limit
            }
        }
    }

    /// Whether the target is met, or nil without a target.
    var isMet: Bool? {
        target?.isMet(by: ratio ?? value)
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case name
        case value
        case unit
        case basis
        case ratio
        case atLeast
        case atMost
        case met
        case peers
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(basis, forKey: .basis)
        try container.encodeIfPresent(ratio, forKey: .ratio)
        switch target {
        case .atLeast(let limit): try container.encode(limit, forKey: .atLeast)
        case .atMost(let limit): try container.encode(limit, forKey: .atMost)
        case nil: break
        }
        try container.encodeIfPresent(isMet, forKey: .met)
        if !peers.isEmpty { try container.encode(peers, forKey: .peers) }
    }
}
