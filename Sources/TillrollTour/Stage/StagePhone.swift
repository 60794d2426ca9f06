/// The phones of the story.
public struct StagePhone: Sendable {
    /// The name of the phone's folder.
    public let name: String
    /// Who is signed in on it.
    public let account: StageAccount

    /// The customer's phone.
    public static let first = StagePhone(name: "phone", account: .grownUp)
    /// The customer's second phone.
    public static let second = StagePhone(name: "second-phone", account: .grownUp)
    /// The child's phone.
    public static let childs = StagePhone(name: "childs-phone", account: .child)
}
