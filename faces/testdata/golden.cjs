// Writes golden.json: what the reference, in JavaScript, makes of invented images with the real weights. Run it in an
// empty directory outside this repository:
//   npm install @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0 @vladmandic/face-api@1.7.15
//   NODE_PATH=node_modules node golden.cjs > golden.json
const tf = require('@tensorflow/tfjs');
const fs = require('fs');
const path = require('path');
const home = path.dirname(require.resolve('@vladmandic/face-api/package.json'));
const face = require('@vladmandic/face-api/dist/face-api.node-wasm.js');

// invented is the image that golden_test.go makes too.
function invented(side) {
  const v = new Float32Array(side * side * 3);
  let i = 0;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) for (let c = 0; c < 3; c++) v[i++] = (x * x * 3 + y * y * 7 + x * y * 5 + c * 61) % 256;
  return face.toNetInput(tf.tensor4d(v, [1, side, side, 3]));
}

(async () => {
  await tf.setBackend('cpu');
  const { tinyFaceDetector, faceLandmark68Net, faceRecognitionNet } = face.nets;
  for (const net of [tinyFaceDetector, faceLandmark68Net, faceRecognitionNet]) await net.loadFromDisk(path.join(home, 'model'));
  const numbers = async (tensor) => Array.from(await tensor.data(), (v) => Number(v.toPrecision(9)));
  const detector = await numbers(tinyFaceDetector.forwardInput(await invented(320), 320));
  const golden = {
    // Every 11th value: the cells and the values of a cell are both met.
    detector: detector.filter((_, i) => i % 11 === 0),
    landmarks: await numbers(faceLandmark68Net.runNet(await invented(112))),
    descriptor: await numbers(faceRecognitionNet.forwardInput(await invented(150))),
  };
  fs.writeSync(1, JSON.stringify(golden, null, 0) + '\n');
})();
