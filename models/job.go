package models

import "time"

// QueueState is what waits in a queue of River, by state; Oldest is since when the first job could have begun, nil: none waits.
type QueueState struct {
	Name                                                                 string
	Available, Running, Scheduled, Retryable, Discarded, Cancelled, Done int
	Oldest                                                               *time.Time
	Paused                                                               bool
}

// Waiting is how many wait for a worker or for their time.
func (q QueueState) Waiting() int { return q.Available + q.Scheduled }

// Job is one job of River.
type Job struct {
	ID                   int64
	Kind, Queue, State   string
	Args                 string // JSON; jobs carry ids only
	Attempt, MaxAttempts int
	Created, Scheduled   time.Time
	Attempted, Finalized *time.Time
	Error                string // of the last attempt; empty: none failed
}
