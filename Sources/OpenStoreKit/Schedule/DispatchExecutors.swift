import Dispatch

/// The executor of an actor that reads and writes files: a serial queue of Dispatch.
///
/// A durable write waits for the disk, and must not occupy a thread of Swift's cooperative pool, which has one thread for each core.
/// Dispatch runs the jobs of a serial queue one at a time on threads outside of that pool. With asynchronous writes instead, other events
/// could run between the decision about an event and its effect, and each would have to be checked again.
final class DispatchActorExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor.
    ///
    /// - Parameter label: The name of the queue in debuggers.
    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Schedules a job of the actor after all jobs that were scheduled earlier.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

/// The executor of tasks that may wait and belong to no actor, such as downloads that write and hash files.
package final class DispatchTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// Creates an executor.
    ///
    /// - Parameter label: The name of the queue in debuggers.
    package init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Schedules a job of a task after all jobs that were scheduled earlier.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
