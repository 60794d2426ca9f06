/// Why nobody could say what signed bytes are worth.
///
/// Nothing is wrong with the bytes as far as they could be judged, and they are not proven either.
public struct Doubt: Error, Hashable, Sendable {
    /// What could not be found out.
    public let reason: Reason
    /// Which part of the data it is about, such as `header.x5c[0]`.
    public let place: String

    init(_ reason: Reason, at place: String) {
        self.reason = reason
        self.place = place
    }

    /// What can fail to be found out.
    public enum Reason: Hashable, Sendable {
        /// The responder that knows whether a certificate was revoked could not be reached, or took too long.
        case responderUnreachable
        /// The responder answered that it can't tell.
        case responderFailed
        /// The responder's answer is not signed as it must be, stale, or about something else.
        case responderNotBelieved
        /// The certificate names no responder.
        case noResponder
        /// The certificate has expired since; responders forget those.
        case certificateExpired

        /// The reason as one stable word, for scripts.
        public var code: String {
            switch self {
            case .responderUnreachable: "responder_unreachable"
            case .responderFailed: "responder_failed"
            case .responderNotBelieved: "responder_not_believed"
            case .noResponder: "no_responder"
            case .certificateExpired: "certificate_expired"
            }
        }
    }

    /// What could not be found out, as a sentence.
    public var sentence: String {
        switch reason {
        case .responderUnreachable: "Whether its certificate was revoked could not be asked: nobody answered. (\(place))"
        case .responderFailed: "Whether its certificate was revoked is not known: the responder could not tell. (\(place))"
        case .responderNotBelieved: "Whether its certificate was revoked is not known: the answer is not to be believed. (\(place))"
        case .noResponder: "Whether its certificate was revoked is not known: it names nobody to ask. (\(place))"
        case .certificateExpired: "Whether its certificate was revoked can't be known any more: it has expired since. (\(place))"
        }
    }
}
