/// The choice of the members who lose their seats when a team has more members than seats.
public enum TeamSurplus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server releases the newest members at once.
    case newestFirst = "newest-first"
    /// The owner can release members until a date, after which the server releases the newest members.
    case ownerChooses = "owner-chooses"
}

/// The rules of an app's teams.
public struct TeamPolicy: Hashable, Sendable {
    /// The choice of the members who lose their seats when a team has more members than seats.
    public var surplus: TeamSurplus
    /// The number of days in which the owner can choose, with ``TeamSurplus/ownerChooses``.
    public var surplusDays: Int64

    /// Creates a policy; by default, the server releases the newest members at once.
    ///
    /// - Parameters:
    ///   - surplus: The choice of the members who lose their seats.
    ///   - surplusDays: The number of days in which the owner can choose.
    public init(surplus: TeamSurplus = .newestFirst, surplusDays: Int64 = 14) {
        self.surplus = surplus
        self.surplusDays = max(0, surplusDays)
    }

    /// The number of seconds from the detection of a surplus to the release of the newest members.
    var surplusSeconds: Int64 { surplus == .newestFirst ? 0 : min(surplusDays, 36_500) * 86_400 }
}
