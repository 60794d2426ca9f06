extension Unproven {
    /// The same, of something that lies inside of other data.
    func inside(_ part: StaticString) -> Unproven {
        switch self {
        case .refused(let refusal):
            .refused(Refusal(refusal.reason, at: "\(part).\(refusal.place)", offset: refusal.offset, refusal.detail))
        case .unknown(let doubt): .unknown(Doubt(doubt.reason, at: "\(part).\(doubt.place)"))
        }
    }
}
