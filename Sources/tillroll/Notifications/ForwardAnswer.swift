import PurchaseModel
import PurchaseProtocol

/// What became of one notification that was sent on.
struct ForwardAnswer: Encodable, Sendable {
    var notificationUUID: String
    /// What happened, such as `DID_RENEW`.
    var type: String
    var subtype: String?
    var account: AccountID?
    /// The HTTP status of the answer; nil where there was none or the store does not say it.
    var status: Int?
    /// `SUCCESS`, or why not, in the words of the notification history.
    var result: String

    init(_ details: NotificationDetails, status: Int? = nil, result: String) {
        notificationUUID = details.notificationUUID
        type = details.type
        subtype = details.subtype
        account = details.account
        self.status = status
        self.result = result
    }

    /// The line for people.
    func line(_ style: TerminalStyle) -> String {
        let kind = [type, subtype].compactMap { $0 }.joined(separator: ".")
        let word = status.map { "\($0)" } ?? result
        let mark = result == "SUCCESS" ? style.good(word) : style.bad(word)
        return
            "\(mark)  \(style.strong(TerminalText.safe(kind)))  \(TerminalText.safe([account?.rawValue, notificationUUID].compactMap { $0 }.joined(separator: "  ")))"
    }
}
