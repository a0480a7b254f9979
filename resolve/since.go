package resolve

import (
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

// acrossMerge ends the name of a field in Since that a claim inherited across a merge: one of two keys that an operator joined
// took the lead from the other. It counts in the place of what the claim itself noted, and an unmerge forgets it.
const acrossMerge = " across"

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
	if at, ok := h.Since[field+acrossMerge]; ok && !h.Source.Import {
		return at
	}
	return h.own(field)
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
	if at, ok = h.Since[field+acrossMerge]; !ok {
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
		if field != mergeMark && !strings.HasSuffix(field, acrossMerge) {
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
	delete(h.Since, field+acrossMerge)
	h.Since[field] = from
}

// succeed has a claim that takes the lead of its source from an instant on inherit a field of its predecessor. Where both claim
// the same value, the source only says it under another key; where not, it is news.
func (h *Head) succeed(before *Head, field string, same bool, from time.Time) {
	across := (h.How == Merged) != (before.How == Merged)
	switch {
	case across && same:
		h.Since = h.Since.with(field+acrossMerge, before.Of(field))
	case across && h.Of(field).Before(from):
		h.Since = h.Since.with(field+acrossMerge, from)
	case across:
	case same:
		h.Claims(field, before.own(field))
		if at, crossed := before.Since[field+acrossMerge]; crossed {
			h.Since[field+acrossMerge] = at
		}
	case h.Of(field).Before(from):
		h.Claims(field, from)
	}
}

// with returns the map with one more instant. It makes one where there is none.
func (s Since) with(field string, at time.Time) Since {
	if s == nil {
		s = Since{}
	}
	s[field] = at
	return s
}

// Changed notes the fields that are claimed otherwise from an instant on.
func (h *Head) Changed(before, after []Field, at time.Time) {
	for _, v := range Diff(before, after) {
		h.Claims(v.Field, at)
	}
}
