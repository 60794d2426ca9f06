/// The entitlements of one purchase in the order of their dates: the latest one, and the one before while the latest has not begun.
///
/// The App Store charges a renewal up to a day before its period begins. If it is for another product, the customer has the product of the
/// running period until its end, and the other one from then on.
public struct EntitlementTimeline: Hashable, Sendable {
    /// An entitlement that another one follows.
    public struct Preceding: Codable, Hashable, Sendable {
        /// The entitlement.
        public var entitlement: Entitlement
        /// The date until which the entitlement counts.
        public var until: Timestamp

        /// Creates a value.
        public init(entitlement: Entitlement, until: Timestamp) {
            self.entitlement = entitlement
            self.until = until
        }
    }

    /// The entitlement of the latest period.
    public var latest: Entitlement
    /// The entitlement of the period before; nil unless the latest period was charged ahead and states something else.
    public var preceding: Preceding?

    /// Creates a timeline.
    public init(latest: Entitlement, preceding: Preceding? = nil) {
        self.latest = latest
        self.preceding = preceding
    }

    /// Creates the timeline of a purchase with one event.
    public init(first event: SignedEvent) {
        self = EntitlementProjection.timeline(from: DecidingEvents(first: event))
    }

    /// Returns the entitlement at a point in time.
    public func entitlement(at date: Timestamp) -> Entitlement {
        if let preceding, date < preceding.until { preceding.entitlement } else { latest }
    }

    /// The entitlements in the order of their dates.
    public var entitlements: [Entitlement] { [preceding?.entitlement, latest].compactMap { $0 } }

    /// The products of the entitlements, each once.
    public var products: Set<ProductID> { Set(entitlements.map(\.productID)) }
}

/// The latest entitlement is encoded with its members, and the preceding one as a member of them, as an entitlement alone is.
extension EntitlementTimeline: Codable {
    private enum CodingKeys: String, CodingKey {
        case preceding
    }

    /// Decodes a timeline, or an entitlement alone.
    public init(from decoder: any Decoder) throws {
        latest = try Entitlement(from: decoder)
        preceding = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Preceding.self, forKey: .preceding)
    }

    /// Encodes a timeline.
    public func encode(to encoder: any Encoder) throws {
        try latest.encode(to: encoder)
        guard let preceding else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(preceding, forKey: .preceding)
    }
}
