/// The version of a `.storekit` file.
struct StorekitVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The default version for content that does not need a later one.
    static let preferred = StorekitVersion(4, 0)

    var description: String { "\(major).\(minor)" }

    static func < (lhs: StorekitVersion, rhs: StorekitVersion) -> Bool {
        (lhs.major, lhs.minor) < (rhs.major, rhs.minor)
    }
}
