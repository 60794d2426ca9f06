/// The version of a `.storekit` file.
struct StorekitVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version of a new file, unless its content requires a later version.
    static let preferred = StorekitVersion(4, 0)

    /// The latest version whose keys are known; a file of a later version is read as far as it has known keys and values.
    static let latest = StorekitVersion(5, .max)

    var description: String { "\(major).\(minor)" }

    static func < (lhs: StorekitVersion, rhs: StorekitVersion) -> Bool {
        (lhs.major, lhs.minor) < (rhs.major, rhs.minor)
    }
}

/// The formatting of a `.storekit` file that is kept when the file is written again.
struct StorekitStyle: Hashable, Sendable {
    /// Whether the last line ends with a line break.
    var endsWithNewline = false
    /// Whether `/` is written as `\/`.
    var escapesSlashes = false
}
