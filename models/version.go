package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// ErrChanged is for a change that was asked for on the strength of a version that is not the present one any more.
var ErrChanged = &Error{Code: CodeConflict, Message: "it was changed after you read it; check the current version, then change that"}

// versionOf names a state: the same values have the same version, also after changes there and back.
func versionOf(values ...any) string {
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts, numbers and lists of them
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Version is that of what WebhookChange may change, but the pause.
func (h *Webhook) Version() string {
	return versionOf(h.URL, h.Events, h.PayloadVersion, h.Notices)
}

// State is Version and what else /v1 shows of it. A change may be of either: see Is.
func (h *Webhook) State() string {
	return h.Version() + versionOf(h.Paused, h.Status, h.DisabledReason)
}

// Is reports whether a Version or State is that of h; nil is whatever it is.
func (h *Webhook) Is(seen *string) bool {
	return seen == nil || *seen == h.Version() || *seen == h.State()
}

// Version is that of what WatcherChange may change, but the pause.
func (w *Watcher) Version() string { return versionOf(w.Whom(), w.Events, w.Level, w.Label, w.Note) }

// State and Is are those of Webhook.
func (w *Watcher) State() string { return w.Version() + versionOf(w.Paused) }

// Is reports whether a Version or State is that of w; nil is whatever it is.
func (w *Watcher) Is(seen *string) bool {
	return seen == nil || *seen == w.Version() || *seen == w.State()
}

// Whom is the version of whom w watches for: its name, its county and what it knows of the birth.
func (w *Watcher) Whom() string {
	county := ""
	if w.County != nil {
		county = w.County.Slug
	}
	return versionOf(w.Name, county, w.Dob, w.BirthYear, w.Age, w.AgeOn)
}
