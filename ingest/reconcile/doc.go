// Package reconcile holds the rules by which a snapshot is believed or held, as pure functions: whether it is
// proven complete, whether it shrank too far, whether it lost fields, and whether its keys or facts changed
// too much at once. It also has a model of what a series of snapshots must lead to, for tests.
//
// Package ingest collects the Evidence of a run and calls Prove. It passes KeyTurnover and MassChange to
// models/claim, which counts what they judge (snapshot.KeyTurnover, snapshot.MassChange) inside the run's transaction. A reason that one of them returns
// holds the snapshot until an operator has looked. The rules are described for operators in
// docs/sources-rules.md. It is not for what a row does to a record, which package resolve decides.
package reconcile
