package faces

import (
	"context"
	"fmt"
	"image"
	"math"
)

// Model names the networks and their version, for the record of a comparison.
const Model = "vladmandic/face-api 1.7.15: tiny YOLO, 68 landmarks, dlib ResNet"

const (
	// MatchBelow is the distance below which two photographs show one person. It was measured on a public set of faces so
	// that hardly any two people are nearer, at the price of missing many pairs of one person.
	MatchBelow = 0.45
	// DifferentFrom is the distance from which they show different people. Between the two nothing is said.
	DifferentFrom = 0.65

	leastEyes   = 20.0 // pixels between the eyes of a face that is compared
	mostAside   = 0.2  // how far the nose may be from the middle between the eyes, as a share of their distance
	mostTurned  = 0.6  // how far the line of the eyes may be turned, as its slope
	secondShare = 0.5  // how large the second face may be beside the first
)

// State is what a comparison says.
type State string

// A comparison has one of these states.
const (
	Match        State = "match"
	Inconclusive State = "inconclusive"
	Different    State = "different"
)

// Result is what one comparison said. It has no descriptor.
type Result struct {
	State State
	// Distance is 0 for one picture and about 1 for different people. It is NaN if a picture had no face to compare.
	Distance float64
	// Reason says why it is inconclusive, and is empty otherwise.
	Reason string
}

// Verifier compares photographs. Comparisons at once share the weights.
type Verifier struct {
	detector  *detector
	pointer   *pointer
	describer *describer
}

// Load reads the weights in a directory. Without them it returns ErrMissing; weights of another digest are an error.
func Load(dir string) (*Verifier, error) {
	var v Verifier
	var err error
	for _, part := range []struct {
		model string
		read  func(weights) error
	}{
		{detectorModel, func(w weights) (err error) { v.detector, err = newDetector(w); return err }},
		{landmarksModel, func(w weights) (err error) { v.pointer, err = newPointer(w); return err }},
		{descriptorModel, func(w weights) (err error) { v.describer, err = newDescriber(w); return err }},
	} {
		var w weights
		if w, err = readWeights(dir, part.model); err != nil {
			return nil, err
		}
		if err := part.read(w); err != nil {
			return nil, fmt.Errorf("%s: %w", part.model, err)
		}
	}
	return &v, nil
}

// Compare says whether two photographs show one person. It is much work for one processor, and ends early
// when its context does.
func (v *Verifier) Compare(ctx context.Context, a, b image.Image) (Result, error) {
	var described [2][]float32
	for i, photo := range []image.Image{a, b} {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		which := [...]string{"first", "second"}[i]
		chip, reason := v.face(photo)
		if reason != "" {
			return Result{Inconclusive, math.NaN(), "the " + which + " photograph " + reason}, nil
		}
		described[i] = v.describer.describe(chip)
	}
	return judged(distance(described[0], described[1])), nil
}

// judged says what a distance means.
func judged(d float64) Result {
	switch {
	case d < MatchBelow:
		return Result{Match, d, ""}
	case d < DifferentFrom:
		return Result{Inconclusive, d, fmt.Sprintf("the faces are neither near (below %.2f) nor far (from %.2f)", MatchBelow, DifferentFrom)}
	}
	return Result{Different, d, ""}
}

// face returns the aligned face of a photograph, or why it has none that can be compared.
func (v *Verifier) face(photo image.Image) (chip tensor, reason string) {
	if photo.Bounds().Empty() {
		return tensor{}, "is empty"
	}
	work := working(photo)
	found := v.detector.find(work)
	area := func(r image.Rectangle) float64 { return float64(r.Dx() * r.Dy()) }
	switch {
	case len(found) == 0:
		return tensor{}, "shows no face"
	case len(found) > 1 && area(found[1]) > secondShare*area(found[0]):
		return tensor{}, "shows more than one face"
	}
	marks := v.pointer.find(work, found[0])
	if reason := posed(marks); reason != "" {
		return tensor{}, reason
	}
	return aligned(work, marks), ""
}

// posed says why a face cannot be compared as it is held, or nothing.
func posed(marks [landmarks]point) string {
	middle := func(a, b int) point {
		return point{(marks[a].x + marks[b].x) / 2, (marks[a].y + marks[b].y) / 2}
	}
	left, right, nose := middle(36, 39), middle(42, 45), marks[30]
	dx, dy := right.x-left.x, right.y-left.y
	eyes := math.Hypot(dx, dy)
	switch {
	case eyes < leastEyes:
		return fmt.Sprintf("shows a face of %.0f pixels between the eyes, and %.0f are needed", eyes, leastEyes)
	case dx <= 0 || math.Abs(dy/dx) > mostTurned:
		return "shows a face that is tilted too far"
	}
	// The nose's place along the line of the eyes, from -1/2 at the left one to 1/2 at the right one.
	along := ((nose.x-left.x)*dx+(nose.y-left.y)*dy)/(eyes*eyes) - 0.5
	if math.Abs(along) > mostAside {
		return "shows a face that looks aside"
	}
	return ""
}
