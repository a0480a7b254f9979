package resolve

import "time"

// Since says from which instant a source claims the present value of each of its fields. A value that a
// source merely repeats is no news and must not overwrite a newer value of another source. Fields that
// are claimed as they were in the first row are left out.
type Since map[string]time.Time

// mergeMark is no field: until when its source had said something of a claim when a merge brought it to its record. What is
// loaded later may still be of an instant before the merge itself, and is news.
const mergeMark = "merged"

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
	if h.Source.Import {
		return time.Time{}
	}
	if at, ok := h.Since[field]; ok {
		return at
	}
	return h.FirstAt
}

// Sighted is when the claim last showed that the person is in jail. A source that lists everybody shows it by each list. One
// that sends changes shows it by what it says anew: a message that is sent again shows nothing.
func (h *Head) Sighted() time.Time {
	if h.Source.Lists {
		return h.LastSeen()
	}
	at := h.FirstAt
	for field, since := range h.Since {
		if field != mergeMark {
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
	h.Since[field] = from
}

// Changed notes the fields that are claimed otherwise from an instant on.
func (h *Head) Changed(before, after []Field, at time.Time) {
	for _, v := range Diff(before, after) {
		h.Claims(v.Field, at)
	}
}
