package standing

import (
	"cmp"
	"math"
	"slices"

	"rollcall/bench/labelled"
	"rollcall/match"
)

// Eased is what a level has to ask less of names of an origin, so that it finds as many of their bookings as of all.
type Eased struct {
	Origin string
	// Recall of the threshold that is the same for every name, of the origin and of all.
	Recall, All float64
	// Nats is how much less, in log-odds, for a surname that is of the origin for certain. It is infinite if nothing suffices.
	Nats float64
}

// Ease derives it from draws of the fitting half, the shortest of origins first. The half that is held out has no say.
func Ease(set Set, draws int, level match.Level) ([]Eased, error) {
	set.Half = labelled.Training
	at := logit(level.Threshold())
	all, found, needs := 0, 0, map[string][]float64{}
	for range draws {
		r, err := Measure(set)
		if err != nil {
			return nil, err
		}
		for _, list := range [][]Hit{r.Hits, r.Missed} {
			for i := range list {
				h := &list[i]
				if h.Kind != Right {
					continue
				}
				need := h.need(at)
				all++
				if need == 0 {
					found++
				}
				needs[h.Origin] = append(needs[h.Origin], need)
			}
		}
		set.Seed++
	}
	share := float64(found) / float64(all)
	var out []Eased
	for origin, list := range needs {
		slices.Sort(list)
		met, _ := slices.BinarySearch(list, math.SmallestNonzeroFloat64)
		wanted := min(len(list), int(math.Ceil(share*float64(len(list)))))
		out = append(out, Eased{Origin: origin, Recall: float64(met) / float64(len(list)), All: share, Nats: list[max(0, wanted-1)]})
	}
	slices.SortFunc(out, func(a, b Eased) int { return cmp.Compare(a.Recall, b.Recall) })
	return out, nil
}

// need returns how much less than a threshold in log-odds would be asked if the surname were of its origin for certain, for
// the hit to be alerted on.
func (h *Hit) need(at float64) float64 {
	short := at - logit(h.Probability)
	if short <= 0 {
		return 0
	}
	origin, share := h.watched.Origin()
	if origin != h.Origin || share == 0 {
		return math.Inf(1)
	}
	return short / share
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
