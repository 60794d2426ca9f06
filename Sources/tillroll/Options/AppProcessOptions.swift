import ArgumentParser
import Foundation

/// Whether the sample app of each phone runs in a process of its own.
struct AppProcessOptions: ParsableArguments {
    @Flag(
        help:
            "Run the app of each phone in a process of its own, which the page's button kills with SIGKILL; each needs about 15 MB of memory."
    )
    var processes = false

    /// The path of this program, which runs the processes; nil to run the app in this process.
    var executable: String? { processes ? Bundle.main.executablePath : nil }
}
