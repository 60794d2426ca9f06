/// Why a set of roots can't be built.
public enum TrustError: Error, Equatable, Sendable {
    /// Production counts Apple's roots and no others.
    case productionTrustsAppleOnly
    /// The text holds no certificate, or something else that cannot be a root.
    case notARoot(reason: String)
}
