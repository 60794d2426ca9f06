/// Faults that an authority can be made with, for tests that want to see its signatures refused.
package struct AuthorityFlaws: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The leaf lacks the marker for purchases.
    package static let noLeafMarker = AuthorityFlaws(rawValue: 1)
    /// The intermediate lacks its marker.
    package static let noIntermediateMarker = AuthorityFlaws(rawValue: 2)
    /// The leaf's validity ended the day before the authority was made.
    package static let expiredLeaf = AuthorityFlaws(rawValue: 4)
    /// The signing key is not the one that the leaf certifies.
    package static let wrongKey = AuthorityFlaws(rawValue: 8)
}
