public import PurchaseModel

/// Refuses data that is for another app.
public struct BundleCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let bundleID: BundleID

    /// Creates a check for the app with a bundle identifier.
    ///
    /// In an app, write the identifier as a constant in the code instead of reading it from the `Info.plist`, which can be edited.
    public init(_ bundleID: BundleID) {
        self.bundleID = bundleID
    }

    /// The name of the check in explanations: `bundle`.
    public var name: String { "bundle" }

    /// The rule that the data must be for the app, as a sentence for explanations.
    public var rule: String { "The data must be for the app \(bundleID)." }

    /// Returns the bundle identifier that the receipt states.
    public func observed(in receipt: AuthenticReceipt) -> String { receipt.payload.bundleID.rawValue }

    /// Returns the bundle identifier that the transaction receipt states.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { receipt.payload.bundleID.rawValue }

    /// Returns the bundle identifier that the signed data states, or `not stated`.
    public func observed(in data: AuthenticSignedData) -> String { data.claims.bundleID?.rawValue ?? "not stated" }

    /// Checks that the receipt states the app's bundle identifier.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignBundle(_:)`` when the receipt states another bundle identifier.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.bundleID, at: "receipt.2")
    }

    /// Checks that the transaction receipt states the app's bundle identifier.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignBundle(_:)`` when the receipt states another bundle identifier.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.bundleID, at: "purchase-info.bid")
    }

    /// Checks that the signed data states the app's bundle identifier, or no bundle identifier.
    ///
    /// Renewal information and real-time requests state no bundle identifier, and pass the check.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignBundle(_:)`` when the data states another bundle identifier.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        guard let stated = data.claims.bundleID else { return }
        try examine(stated, at: "\(data.claims.appPlace).bundleId")
    }

    private func examine(_ stated: BundleID, at place: @autoclosure () -> String) throws(VerificationFailure) {
        guard stated == bundleID else { throw .refused(Refusal(.foreignBundle(stated), at: place())) }
    }
}

/// Refuses production data that states the `appAppleId` of another app.
///
/// App transactions, notifications and real-time requests state an `appAppleId`. In real-time requests, the `appAppleId` is the only
/// identifier of the app.
public struct AppAppleIDCheck: SignedDataCheck {
    private let appAppleID: Int64

    /// Creates a check for the app with an `appAppleId`, the app's Apple ID in App Store Connect.
    public init(_ appAppleID: Int64) {
        self.appAppleID = appAppleID
    }

    /// The name of the check in explanations: `appAppleId`.
    public var name: String { "appAppleId" }

    /// The rule that production data must state the app's `appAppleId`, as a sentence for explanations.
    public var rule: String { "Production data that states an appAppleId must state \(appAppleID)." }

    /// Returns the `appAppleId` that the signed data states, or `not stated`.
    public func observed(in data: AuthenticSignedData) -> String { data.claims.appAppleID.map { "\($0)" } ?? "not stated" }

    /// Checks that production data states the app's `appAppleId`.
    ///
    /// Data from other environments passes, because data from the sandbox and from Xcode states no `appAppleId`, or a meaningless one.
    /// Transactions and renewal information state no `appAppleId`, and pass the check.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignApp(_:)`` when an app transaction, a notification or a real-time request from
    ///   production states another `appAppleId` or none, or when other production data states another `appAppleId`.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        let claims = data.claims
        switch claims.kind {
        case .transaction, .renewalInfo: return
        case .other where claims.appAppleID == nil: return
        case .appTransaction, .notification, .realtimeRequest, .other: break
        }
        // Data of an unknown environment can be from the sandbox, and then states no number.
        let environment = data.signature.knownEnvironment
        guard environment == .production || environment == nil && claims.appAppleID != nil, claims.appAppleID != appAppleID else { return }
        throw .refused(Refusal(.foreignApp(claims.appAppleID), at: "\(claims.appPlace).appAppleId"))
    }
}

/// Refuses receipts for another version of the app.
///
/// Use this check in an app, with the app's version as a constant in the code. A server that serves several versions does not need the
/// check.
public struct VersionCheck: ReceiptCheck, TransactionReceiptCheck {
    private let version: String

    /// Creates a check for a version: the app's `CFBundleVersion` on iOS, and its `CFBundleShortVersionString` on macOS.
    public init(_ version: String) {
        self.version = version
    }

    /// The name of the check in explanations: `version`.
    public var name: String { "version" }

    /// The rule that the receipt must be for the version, as a sentence for explanations.
    public var rule: String { "The receipt must be for version \(version) of the app." }

    /// Returns the app version that the receipt states.
    public func observed(in receipt: AuthenticReceipt) -> String { receipt.payload.appVersion }

    /// Returns the app version that the transaction receipt states.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { receipt.payload.appVersion }

    /// Checks that the receipt is for the version.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignVersion(_:)`` when the receipt states another version.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.appVersion, at: "receipt.3")
    }

    /// Checks that the transaction receipt is for the version.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignVersion(_:)`` when the receipt states another version.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.appVersion, at: "purchase-info.bvrs")
    }

    private func examine(_ stated: String, at place: String) throws(VerificationFailure) {
        guard stated.utf8.elementsEqual(version.utf8) else { throw .refused(Refusal(.foreignVersion(stated), at: place)) }
    }
}

/// Refuses data from environments that the verifier does not accept.
public struct EnvironmentCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let environments: Set<AppEnvironment>

    /// Creates a check that accepts data from these environments only.
    public init(_ environments: Set<AppEnvironment>) {
        self.environments = environments
    }

    /// The name of the check in explanations: `environment`.
    public var name: String { "environment" }

    /// The rule that the data must be from one of the accepted environments, as a sentence for explanations.
    public var rule: String { "The data must be from \(environments.map(\.rawValue).sorted().joined(separator: " or "))." }

    /// Returns the environment of the receipt, and the receipt type that implies the environment.
    public func observed(in receipt: AuthenticReceipt) -> String {
        "\(receipt.payload.environment.rawValue), receipt type \(receipt.payload.receiptType)"
    }

    /// Returns the environment that the transaction receipt states, which is not signed.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String {
        "\(receipt.claimedEnvironment.rawValue), which is not signed"
    }

    /// Returns the environment that the signed data states, or how its environment is known.
    public func observed(in data: AuthenticSignedData) -> String {
        guard data.claims.environment.isEmpty else { return data.claims.environment }
        return data.signature.knownEnvironment.map { "not stated, assumed to be \($0.rawValue)" } ?? "not stated, unknown"
    }

    /// Checks that the receipt is from one of the accepted environments.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignEnvironment(_:)`` when the receipt is from another environment.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.environment, at: "receipt.0")
    }

    /// Checks that the environment that the transaction receipt states is one of the accepted environments.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignEnvironment(_:)`` when the receipt states another environment.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.claimedEnvironment, at: "receipt.environment")
    }

    /// Checks that the signed data is from one of the accepted environments.
    ///
    /// Data that the App Store signed in 2021 states no environment. It passes when both production and the sandbox are accepted. To give it
    /// an environment, use ``SignedDataVerifier/assuming(bundleID:environment:)``.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignEnvironment(_:)`` when the data is from another environment.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        guard let known = data.signature.knownEnvironment else {
            guard !environments.isSuperset(of: [.production, .sandbox]) else { return }
            throw .refused(Refusal(.foreignEnvironment("unknown"), at: data.claims.environmentPlace))
        }
        try examine(known, at: data.claims.environmentPlace)
    }

    private func examine(_ stated: AppEnvironment, at place: String) throws(VerificationFailure) {
        guard environments.contains(stated) else { throw .refused(Refusal(.foreignEnvironment(stated.rawValue), at: place)) }
    }
}
