package faces

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// ErrMissing is returned by Load when the weights are not installed.
var ErrMissing = errors.New("the weights of the networks are not installed: run rollcall faces install")

// digests has the SHA-256 of each file of weights. Other content than the measured one is never used.
var digests = map[string]string{
	"tiny_face_detector_model.bin":                   "b7503ce7df31039b1c43316a9b865cab6a70dd748cc602d3fa28b551503c3871",
	"tiny_face_detector_model-weights_manifest.json": "5d1af4849ac48d5b985f4a9b16010c512353ddd6fcc63d50fd0bc9e9e64296e5",
	"face_landmark_68_model.bin":                     "4611ef65c87d836d03d684b30eec4d195d8b219fa1dd58fc58945831c6b9299b",
	"face_landmark_68_model-weights_manifest.json":   "ca4886639f86e99b39fed0c155f81b63317225773bd9616716e887b0153389c9",
	"face_recognition_model.bin":                     "b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589",
	"face_recognition_model-weights_manifest.json":   "cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b",
}

// weights has the values of each layer of a network, by the name that the manifest gives it.
type weights map[string]entry

// entry is the values of one layer and their shape.
type entry struct {
	shape []int
	v     []float32
}

// manifest is the part of a weights manifest that is read.
type manifest []struct {
	Weights []struct {
		Name         string
		Shape        []int
		Quantization *struct {
			DType      string
			Scale, Min float64
		}
	}
}

// readChecked reads a file of weights and refuses any content but the pinned one.
func readChecked(dir, name string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(dir, name)) //nolint:gosec // the directory of the configuration
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	sum := sha256.Sum256(b)
	if got := hex.EncodeToString(sum[:]); got != digests[name] {
		return nil, fmt.Errorf("%s has the digest %s, not %s: run rollcall faces install again", name, got, digests[name])
	}
	return b, nil
}

// readWeights reads the weights of one network.
func readWeights(dir, model string) (weights, error) {
	text, err := readChecked(dir, model+"-weights_manifest.json")
	if err != nil {
		return nil, err
	}
	bin, err := readChecked(dir, model+".bin")
	if err != nil {
		return nil, err
	}
	return parseWeights(text, bin)
}

// parseWeights cuts the binary file into the layers that the manifest lists. A layer is one byte a value, with a
// scale and a least value, or a float32.
func parseWeights(text, bin []byte) (weights, error) {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("read the manifest of weights: %w", err)
	}
	all := weights{}
	for _, group := range m {
		for _, w := range group.Weights {
			n := 1
			for _, d := range w.Shape {
				n *= d
			}
			width := 4
			if w.Quantization != nil {
				width = 1
			}
			if n < 0 || n*width > len(bin) {
				return nil, fmt.Errorf("the weights end before %s", w.Name)
			}
			e := entry{w.Shape, make([]float32, n)}
			for i := range e.v {
				if q := w.Quantization; q != nil {
					e.v[i] = float32(float64(bin[i])*q.Scale + q.Min)
				} else {
					e.v[i] = math.Float32frombits(binary.LittleEndian.Uint32(bin[4*i:]))
				}
			}
			all[w.Name], bin = e, bin[n*width:]
		}
	}
	return all, nil
}

// reader takes layers out of weights and remembers the first that is not there.
type reader struct {
	all     weights
	missing string
}

// take returns the values of a layer with as many dimensions as asked for.
func (r *reader) take(name string, dimensions int) entry {
	e, ok := r.all[name]
	if !ok || len(e.shape) != dimensions {
		if r.missing == "" {
			r.missing = name
		}
		return entry{shape: make([]int, dimensions)}
	}
	return e
}

// conv returns the convolution whose filters and bias lie under a name.
func (r *reader) conv(name string) conv {
	f := r.take(name+"/filters", 4)
	return conv{f.shape[0], f.shape[2], f.shape[3], f.v, r.take(name+"/bias", 1).v}
}

// separable returns the separable convolution under a name.
func (r *reader) separable(name string) separable {
	point := r.take(name+"/pointwise_filter", 4)
	return separable{
		r.take(name+"/depthwise_filter", 4).v,
		conv{1, point.shape[2], point.shape[3], point.v, r.take(name+"/bias", 1).v},
	}
}

// scaled returns the convolution under a name with the scale of its outputs worked into it.
func (r *reader) scaled(name string) conv {
	l := r.conv(name + "/conv")
	scale, shift := r.take(name+"/scale/weights", 1).v, r.take(name+"/scale/biases", 1).v
	if len(scale) != l.out || len(shift) != l.out || len(l.bias) != l.out {
		return l // take has remembered it, or the shapes are those of another network
	}
	for i := range l.filters {
		l.filters[i] *= scale[i%l.out]
	}
	for i := range l.bias {
		l.bias[i] = l.bias[i]*scale[i] + shift[i]
	}
	return l
}

// err returns an error if a layer was not there.
func (r *reader) err() error {
	if r.missing != "" {
		return fmt.Errorf("the weights have no layer %s of the right shape", r.missing)
	}
	return nil
}
