// Package reconcile holds the rules by which a snapshot is believed or held, as pure functions: whether it is proven complete,
// whether it shrank too far, whether its keys or facts changed too much at once; and a model of what a series of snapshots must
// lead to, for tests. What a row does to a record is decided in package resolve.
package reconcile
