/// The faults that are switched on.
public struct FaultsReply: Codable, Hashable, Sendable {
    /// One fault and its number.
    public struct Entry: Codable, Hashable, Sendable {
        /// The number, by which it is switched off.
        public var id: Int64
        /// The fault; its count is what is left of it.
        public var fault: Fault

        /// Creates an element.
        public init(id: Int64, fault: Fault) {
            self.id = id
            self.fault = fault
        }
    }

    /// The faults, oldest first.
    public var faults: [Entry]

    /// Creates a reply.
    public init(faults: [Entry]) {
        self.faults = faults
    }
}
