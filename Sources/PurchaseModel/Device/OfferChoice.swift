/// An offer that a purchase asks for.
public struct OfferChoice: Codable, Hashable, Sendable {
    /// Which kind; introductory offers need not be asked for.
    public var kind: OfferType
    /// Which offer: its identifier, or an offer code's reference name.
    public var id: String?
    /// What the developer's server signed: promotional offers need it on a device, and with the introductory offer it decides, in the
    /// newer form, whether the customer may have it.
    public var signature: OfferSignature?

    /// Creates a choice.
    public init(kind: OfferType, id: String?, signature: OfferSignature? = nil) {
        self.kind = kind
        self.id = id
        self.signature = signature
    }
}
