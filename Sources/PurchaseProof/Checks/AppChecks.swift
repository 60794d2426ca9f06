public import PurchaseModel

/// Refuses data that is for another app.
public struct BundleCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let bundleID: BundleID

    /// Creates the check for one app.
    ///
    /// Write the identifier in the code: an `Info.plist` can be edited.
    public init(_ bundleID: BundleID) {
        self.bundleID = bundleID
    }

    /// `bundle`.
    public var name: String { "bundle" }

    /// The app is the expected one.
    public var rule: String { "The data is for \(bundleID)." }

    /// The app that the receipt states.
    public func observed(in receipt: AuthenticReceipt) -> String { receipt.payload.bundleID.rawValue }

    /// The app that the receipt states.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { receipt.payload.bundleID.rawValue }

    /// The app that the signed data states.
    public func observed(in data: AuthenticSignedData) -> String { data.claims.bundleID?.rawValue ?? "not stated" }

    /// Throws ``Refusal/Reason/foreignBundle(_:)`` unless the receipt is for the app.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.bundleID, at: "receipt.2")
    }

    /// Throws ``Refusal/Reason/foreignBundle(_:)`` unless the receipt is for the app.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.bundleID, at: "purchase-info.bid")
    }

    /// Throws ``Refusal/Reason/foreignBundle(_:)`` unless the signed data is for the app.
    ///
    /// Renewal information and real-time requests state no bundle identifier, and pass.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        guard let stated = data.claims.bundleID else { return }
        try examine(stated, at: "\(data.claims.appPlace).bundleId")
    }

    private func examine(_ stated: BundleID, at place: @autoclosure () -> String) throws(VerificationFailure) {
        guard stated == bundleID else { throw .refused(Refusal(.foreignBundle(stated), at: place())) }
    }
}

/// Refuses production data for another app, by the app's `appAppleId`.
///
/// App transactions, notifications and real-time requests state it. In real-time requests, it is the only identifier of the app.
public struct AppAppleIDCheck: SignedDataCheck {
    private let appAppleID: Int64

    /// Creates the check for one app.
    public init(_ appAppleID: Int64) {
        self.appAppleID = appAppleID
    }

    /// `appAppleId`.
    public var name: String { "appAppleId" }

    /// The `appAppleId` of production data is the expected one.
    public var rule: String { "Production data that states an appAppleId states \(appAppleID)." }

    /// The `appAppleId` that the signed data states.
    public func observed(in data: AuthenticSignedData) -> String { data.claims.appAppleID.map { "\($0)" } ?? "not stated" }

    /// Throws ``Refusal/Reason/foreignApp(_:)`` unless the `appAppleId` is the expected one.
    ///
    /// Data of other environments passes: the sandbox and Xcode state no `appAppleId`, or a meaningless one.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        let claims = data.claims
        switch claims.kind {
        case .transaction, .renewalInfo: return
        case .other where claims.appAppleID == nil: return
        case .appTransaction, .notification, .realtimeRequest, .other: break
        }
        guard data.signature.environment == .production, claims.appAppleID != appAppleID else { return }
        throw .refused(Refusal(.foreignApp(claims.appAppleID), at: "\(claims.appPlace).appAppleId"))
    }
}

/// Refuses receipts for another version of the app.
///
/// Use it in an app, with the version written in its code. A server serves several versions and does not need it.
public struct VersionCheck: ReceiptCheck, TransactionReceiptCheck {
    private let version: String

    /// Creates the check for one version: `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS.
    public init(_ version: String) {
        self.version = version
    }

    /// `version`.
    public var name: String { "version" }

    /// The version is the expected one.
    public var rule: String { "The receipt is for version \(version)." }

    /// The version that the receipt states.
    public func observed(in receipt: AuthenticReceipt) -> String { receipt.payload.appVersion }

    /// The version that the receipt states.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { receipt.payload.appVersion }

    /// Throws ``Refusal/Reason/foreignVersion(_:)`` unless the version is the expected one.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.appVersion, at: "receipt.3")
    }

    /// Throws ``Refusal/Reason/foreignVersion(_:)`` unless the version is the expected one.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.appVersion, at: "purchase-info.bvrs")
    }

    private func examine(_ stated: String, at place: String) throws(VerificationFailure) {
        guard stated.utf8.elementsEqual(version.utf8) else { throw .refused(Refusal(.foreignVersion(stated), at: place)) }
    }
}

/// Refuses data from other environments.
public struct EnvironmentCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let environments: Set<AppEnvironment>

    /// Creates the check for the environments to accept.
    public init(_ environments: Set<AppEnvironment>) {
        self.environments = environments
    }

    /// `environment`.
    public var name: String { "environment" }

    /// The environment is one of those to accept.
    public var rule: String { "The data is from \(environments.map(\.rawValue).sorted().joined(separator: " or "))." }

    /// The environment of the receipt, and the receipt type that implies it.
    public func observed(in receipt: AuthenticReceipt) -> String {
        "\(receipt.payload.environment.rawValue), receipt type \(receipt.payload.receiptType)"
    }

    /// The environment that the receipt states.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String {
        "\(receipt.claimedEnvironment.rawValue), which is not signed"
    }

    /// The environment that the signed data states.
    public func observed(in data: AuthenticSignedData) -> String { data.claims.environment }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is one of those to accept.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.environment, at: "receipt.0")
    }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is one of those to accept.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.claimedEnvironment, at: "receipt.environment")
    }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is one of those to accept.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        try examine(data.signature.environment, at: data.claims.environmentPlace)
    }

    private func examine(_ stated: AppEnvironment, at place: String) throws(VerificationFailure) {
        guard environments.contains(stated) else { throw .refused(Refusal(.foreignEnvironment(stated.rawValue), at: place)) }
    }
}
