import PurchaseModel
import PurchaseProtocol

/// The result of forwarding one notification.
struct ForwardAnswer: Encodable, Sendable {
    var notificationUUID: String
    /// The notification type, such as `DID_RENEW`.
    var type: String
    var subtype: String?
    var account: AccountID?
    /// The HTTP status of the response; nil if there was no response, or if the store does not state the status.
    var status: Int?
    /// `SUCCESS`, or the cause of the failure as the notification history names it.
    var result: String

    init(_ details: NotificationDetails, status: Int? = nil, result: String) {
        notificationUUID = details.notificationUUID
        type = details.type
        subtype = details.subtype
        account = details.account
        self.status = status
        self.result = result
    }

    /// The line of text for a terminal.
    func line(_ style: TerminalStyle) -> String {
        let kind = [type, subtype].compactMap { $0 }.joined(separator: ".")
        let word = status.map { "\($0)" } ?? result
        let mark = result == "SUCCESS" ? style.good(word) : style.bad(word)
        return
            "\(mark)  \(style.strong(TerminalText.safe(kind)))  \(TerminalText.safe([account?.rawValue, notificationUUID].compactMap { $0 }.joined(separator: "  ")))"
    }
}
