/// Carries out the actions of a person at a terminal, and waits for their effects.
@MainActor
final class TerminalVisit {
    /// The maximum number of actions whose effects have not ended.
    private static let actionLimit = 32

    /// What a wait for an action's effects waits for.
    struct Effects: Sendable {
        fileprivate let number: Int
        fileprivate let begun: Int
        fileprivate let launches: Int
        /// The number of downloads before the action.
        fileprivate let downloads: Int
        fileprivate let answersSheet: Bool
    }

    private let visitor: Visitor
    private var count = 0
    /// The numbers of the actions that have ended.
    private var ended: Set<Int> = []
    /// The number of actions that go on for a long download, after which commands are read nevertheless.
    private var downloading = 0

    init(_ visitor: Visitor) { self.visitor = visitor }

    /// Waits until the app is launched on all phones.
    func waitForLaunch() async {
        await wait(for: Effects(number: 0, begun: 0, launches: visitor.phones.count, downloads: 0, answersSheet: false))
    }

    /// Returns what to wait for after an action that follows.
    func effects(of action: ShopAction) -> Effects {
        count += 1
        let report = visitor.report(of: visitor.phone)
        let isAnswer = if case .answer = action { true } else { false }
        return Effects(
            number: count, begun: visitor.begun + 1, launches: launches + (action.launches ? 1 : 0), downloads: report.downloads,
            answersSheet: isAnswer && report.sheet != nil)
    }

    /// Carries out an action, and returns when its effects have ended.
    func perform(_ action: ShopAction, _ effects: Effects) async {
        await visitor.perform(action, limit: Self.actionLimit)
        ended.insert(effects.number)
        visitor.change()
    }

    /// Waits for the effects of an action: until they have ended, a sheet waits, or a long download begins.
    ///
    /// An action that launches the app ends when the app is closed. The wait ends with the launch, or when the action ends without a launch.
    /// Each wait ends when the visitor leaves.
    func wait(for effects: Effects) async {
        // The sheet that is answered is shown until the answer has arrived.
        if effects.answersSheet { for await _ in visitor.updates where ended.contains(effects.number) { break } }
        for await _ in visitor.updates {
            let report = visitor.report(of: visitor.phone)
            let hasBegun = visitor.begun >= effects.begun && launches >= effects.launches
            // An action that is refused or fails can end without a beginning or a launch.
            guard hasBegun || ended.contains(effects.number), report.isLoaded || !report.isRunning else { continue }
            if visitor.busy <= downloading || visitor.phones.contains(where: { visitor.report(of: $0).sheet != nil }) {
                downloading = min(downloading, visitor.busy)
                return
            }
            // A download at full speed ends soon; another one can be paused, or waits for the network.
            if report.downloads > effects.downloads, !report.isFast || !report.isOnline {
                downloading = visitor.busy
                return
            }
        }
    }

    /// The number of launches on all phones that have ended.
    private var launches: Int { visitor.phones.reduce(0) { $0 + $1.launches } }
}
