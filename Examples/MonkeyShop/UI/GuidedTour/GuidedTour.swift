/// The guided tour of a visitor, and the scripts that it and links repeat.
@MainActor
final class GuidedTour {
    /// The stop of the tour; nil while it is closed.
    private(set) var stop: Int?
    /// Whether the stop was shown to its end.
    private var isStopShown = false
    private let player = ScriptPlayer()

    /// How much of a script has been repeated; nil while none is.
    var progress: (done: Int, total: Int)? { player.progress }

    /// Shows the first stop.
    func begin() { stop = 0 }

    /// Moves to a stop; nil, and a stop that does not exist, closes the tour.
    ///
    /// The script of a stop goes on, so that the next stop finds the state that it builds on, unless the tour ends.
    func move(to stop: Int?) {
        if stop == nil { player.stop() }
        self.stop = stop.flatMap { TourStop.all.indices.contains($0) ? $0 : nil }
        isStopShown = false
    }

    /// Ends the script that is being repeated, because the person takes over.
    func interrupt() { player.stop() }

    /// Repeats a script until it ends or the person acts.
    func play(_ script: VisitScript, on visitor: Visitor) async { await player.play(script, on: visitor) }

    /// Repeats the actions of the stop, unless a script is being repeated already.
    func show(on visitor: Visitor) async {
        guard let stop, !player.isPlaying else { return }
        await player.play(TourStop.all[stop].script, on: visitor) { isStopShown = self.stop == stop }
    }

    /// Returns the panel with the stop; nil while the tour is closed.
    func view(in language: PageLanguage) -> TourView? {
        stop.map { TourView($0, isPlaying: player.isPlaying, isShown: isStopShown, in: language) }
    }
}
