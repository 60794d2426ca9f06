/// The platform on which a customer first acquired an app.
public enum PurchasePlatform: String, Codable, Hashable, Sendable, CaseIterable {
    /// iPhone and iPad.
    case iOS = "iOS"
    /// Mac.
    case macOS = "macOS"
    /// Apple TV.
    case tvOS = "tvOS"
    /// Apple Vision.
    case visionOS = "visionOS"
}
