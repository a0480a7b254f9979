package resolve

import (
	"maps"
	"strings"
	"time"
)

// Since says from which instant a source claims the present value of each of its fields. A value that a
// source merely repeats is no news and must not overwrite a newer value of another source. Fields that
// are claimed as they were in the first row are left out.
type Since map[string]time.Time

// mergeMark is no field: until when its source had said something of a claim when a merge brought it to its record. What is
// loaded later may still be of an instant before the merge itself, and is news.
const mergeMark = "merged"

// acrossMerge follows the name of a field in Since that a claim inherited across a merge: one of two keys that an operator
// joined took the lead from the other. When they were joined comes last. It counts in the place of what the claim itself
// noted, and only when that merge is undone it is forgotten (end_successions).
const acrossMerge = " across "

// joinedAt is how a merge is named there: the order of the names is that of the merges.
const joinedAt = "2006-01-02T15:04:05.000000Z"

// BeforeMerge reports whether the claim said something until an instant before a merge brought it to its record.
func (h *Head) BeforeMerge(at time.Time) bool {
	mark, noted := h.Since[mergeMark]
	if !noted {
		mark = h.HowAt
	}
	return h.How == Merged && !at.After(mark)
}

// Of is the instant from which the claim has its present value of a field. A takeover has known its
// values for ever, so that any source overrules it.
func (h *Head) Of(field string) time.Time {
	if at, ok := h.across(field); ok && !h.Source.Import {
		return at
	}
	return h.own(field)
}

// across is what the claim inherited of a field across a merge, the latest of those by which it did.
func (h *Head) across(field string) (at time.Time, ok bool) {
	latest := ""
	for name, since := range h.Since {
		if name > latest && strings.HasPrefix(name, field+acrossMerge) {
			latest, at, ok = name, since, true
		}
	}
	return at, ok
}

// own is Of without what was inherited across a merge.
func (h *Head) own(field string) time.Time {
	if h.Source.Import {
		return time.Time{}
	}
	if at, ok := h.Since[field]; ok {
		return at
	}
	return h.FirstAt
}

// noted is from when the claim has its present value of a field, and whether it has it by more than its first row.
func (h *Head) noted(field string) (at time.Time, ok bool) {
	if at, ok = h.across(field); !ok {
		at, ok = h.Since[field]
	}
	return at, ok
}

// Sighted is when the claim last showed that the person is in jail. A source that lists everybody shows it by each list. One
// that sends changes shows it by what it says anew: a message that is sent again shows nothing.
func (h *Head) Sighted() time.Time {
	if h.Source.Lists {
		return h.LastSeen()
	}
	at := h.FirstAt
	for field, since := range h.Since {
		if field != mergeMark && !strings.Contains(field, acrossMerge) {
			at = newest(at, since)
		}
	}
	return at
}

// Claims notes that the value of a field is claimed from an instant on.
func (h *Head) Claims(field string, from time.Time) {
	if h.Since == nil {
		h.Since = Since{}
	}
	maps.DeleteFunc(h.Since, func(name string, _ time.Time) bool { return strings.HasPrefix(name, field+acrossMerge) })
	h.Since[field] = from
}

// inherits notes that the claim inherited a field across a merge, which joined it with its predecessor.
func (h *Head) inherits(before *Head, field string, from time.Time) {
	joined := before.HowAt
	if h.How == Merged {
		joined = h.HowAt
	}
	mark := field + acrossMerge + joined.UTC().Format(joinedAt)
	// What it inherited by a later merge counts no more.
	maps.DeleteFunc(h.Since, func(name string, _ time.Time) bool {
		return name > mark && strings.HasPrefix(name, field+acrossMerge)
	})
	if h.Since == nil {
		h.Since = Since{}
	}
	h.Since[mark] = from
}

// succeed has a claim that takes the lead of its source from an instant on inherit a field of its predecessor. Where both claim
// the same value, the source only says it under another key; where not, it is news.
func (h *Head) succeed(before *Head, field string, same bool, from time.Time) {
	across := (h.How == Merged) != (before.How == Merged)
	switch {
	case across && same:
		h.inherits(before, field, before.Of(field))
	case across && h.Of(field).Before(from):
		h.inherits(before, field, from)
	case across:
	case same:
		h.Claims(field, before.own(field))
		for name, at := range before.Since {
			if strings.HasPrefix(name, field+acrossMerge) {
				h.Since[name] = at
			}
		}
	case h.Of(field).Before(from):
		h.Claims(field, from)
	}
}

// Changed notes the fields that are claimed otherwise from an instant on.
func (h *Head) Changed(before, after []Field, at time.Time) {
	for _, v := range Diff(before, after) {
		h.Claims(v.Field, at)
	}
}
