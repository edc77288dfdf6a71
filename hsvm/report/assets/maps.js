// Heat maps and bars: the grid of penalties, correlations, stability, models side by side. Heat maps are drawn by hand on the canvas.

function mix(from, to, share) {
  const parts = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const a = parts(from);
  const b = parts(to);
  return 'rgb(' + a.map((value, k) => Math.round(value + share * (b[k] - value))).join(',') + ')';
}

// A canvas as large as its box, in pixels of the screen.
function prepareCanvas(figure) {
  const canvas = figure.querySelector('canvas');
  const box = canvas.parentElement;
  const scale = window.devicePixelRatio || 1;
  const width = box.clientWidth;
  const height = box.clientHeight;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  const ctx = canvas.getContext('2d');
  ctx.scale(scale, scale);
  ctx.clearRect(0, 0, width, height);
  ctx.font = '12px system-ui, sans-serif';
  return {canvas, ctx, width, height};
}

// Says what is under the pointer, in a line below the canvas.
function onPoint(figure, describe) {
  figure.describePoint = describe;
  if (figure.querySelector('.pointed')) return;
  const line = document.createElement('p');
  line.className = 'pointed';
  line.setAttribute('aria-live', 'polite');
  line.textContent = '\u00a0';
  figure.querySelector('.canvas').after(line);
  figure.querySelector('canvas').addEventListener('pointermove', (event) => {
    line.textContent = figure.describePoint(event.offsetX, event.offsetY) || '\u00a0';
  });
}

function heatColor(share) {
  return isDark() ? mix('#1f2226', '#56b4e9', share) : mix('#f4f8fb', '#08456b', share);
}

function drawGrid(figure, data) {
  figure.querySelector('.canvas').style.height = 5 + 2.2 * data.paths.length + 'rem';
  const {ctx, width, height} = prepareCanvas(figure);
  const labels = data.paths.map((path, k) => shorten(pathName(data, k), 22));
  const left = 12 + Math.max(...labels.map((label) => ctx.measureText(label).width), ctx.measureText('lambda2').width);
  const top = 20;
  const bottom = height - 40;
  const all = data.paths.flatMap((path) => path.mean).filter((mean) => mean !== null);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const lambdas = data.paths.flatMap((path) => path.lambda1).filter((value) => value > 0);
  const from = Math.log(Math.max(...lambdas));
  const to = Math.log(Math.min(...lambdas));
  const longest = Math.max(...data.paths.map((path) => path.lambda1.length));
  const step = (width - left - 12) / Math.max(longest, 1);
  const xOf = (lambda) => left + (from === to ? 0 : (from - Math.log(lambda)) / (from - to)) * (width - left - 12 - step);
  const row = (bottom - top) / data.paths.length;
  const cells = [];
  data.paths.forEach((path, g) => path.lambda1.forEach((lambda, k) => {
    if (path.mean[k] === null || !(lambda > 0)) return;
    const next = k + 1 < path.lambda1.length ? xOf(path.lambda1[k + 1]) : xOf(lambda) + step;
    const share = high === low ? 0.5 : (path.mean[k] - low) / (high - low);
    ctx.fillStyle = heatColor(data.larger_is_better ? share : 1 - share);
    ctx.fillRect(xOf(lambda), top + g * row, next - xOf(lambda) + 0.6, row - 2);
    cells.push({g, k, x0: xOf(lambda), x1: next});
  }));
  ctx.fillStyle = softInk();
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  labels.forEach((label, g) => ctx.fillText(label, left - 6, top + (g + 0.5) * row));
  ctx.fillText('lambda2', left - 6, top - 11);
  ctx.textAlign = 'center';
  const ticks = Math.max(2, Math.min(5, Math.floor(width / 120)));
  for (let t = 0; t < ticks; ++t) {
    const value = Math.exp(from + (to - from) * t / (ticks - 1));
    ctx.textAlign = t === 0 ? 'left' : t + 1 === ticks ? 'right' : 'center';
    ctx.fillText(number(Number(value.toPrecision(2))), t + 1 === ticks ? width - 12 : xOf(value), bottom + 10);
  }
  ctx.textAlign = 'center';
  ctx.fillStyle = ink();
  ctx.fillText('lambda1 (falling)', (left + width) / 2, bottom + 29);
  const mark = (place, round) => {
    const path = data.paths[place.path];
    const x = xOf(path.lambda1[place.point]) + step / 2;
    const y = top + (place.path + 0.5) * row - 1;
    for (const [color, wide] of [[isDark() ? '#000000' : '#ffffff', 5], [round ? '#d55e00' : '#e69f00', 2.5]]) {
      ctx.strokeStyle = color;
      ctx.lineWidth = wide;
      ctx.beginPath();
      if (round) ctx.arc(x, y, 7, 0, 2 * Math.PI);
      else ctx.rect(x - 6, y - 6, 12, 12);
      ctx.stroke();
    }
  };
  mark(data.one_se, false);
  mark(data.best, true);
  onPoint(figure, (x, y) => {
    const g = Math.floor((y - top) / row);
    const cell = cells.find((one) => one.g === g && x >= one.x0 && x < one.x1);
    if (!cell) return '';
    const path = data.paths[g];
    return data.score + ' ' + number(path.mean[cell.k]) + ' \u00b1 ' + number(path.error[cell.k]) + ' at lambda1 = ' +
      number(path.lambda1[cell.k]) + ', lambda2 = ' + pathName(data, g) + ', ' + path.nonzeros[cell.k] + ' features';
  });
}

function correlationOf(data, a, b) {
  if (a === b) return 1;
  return a > b ? data.values[a * (a - 1) / 2 + b] : data.values[b * (b - 1) / 2 + a];
}

function drawCorrelations(figure, data) {
  const n = data.names.length;
  const box = figure.querySelector('.canvas');
  const narrow = figure.clientWidth < 500;
  const labels = data.names.map((name, k) => k + 1 + '  ' + shorten(name, narrow ? 10 : 26));
  const measure = box.querySelector('canvas').getContext('2d');
  measure.font = '12px system-ui, sans-serif';
  const left = 10 + Math.max(...labels.map((label) => measure.measureText(label).width));
  const size = Math.max(8, Math.min(narrow ? 22 : 34, (figure.clientWidth - left - 4) / n));
  const letters = Math.min(12, size);
  box.style.height = 24 + size * n + 'px';
  const {ctx} = prepareCanvas(figure);
  const top = 20;
  const ground = isDark() ? '#1f2226' : '#f5f6f7';
  for (let a = 0; a < n; ++a)
    for (let b = 0; b < n; ++b) {
      const value = correlationOf(data, a, b);
      ctx.fillStyle = mix(ground, value > 0 ? (isDark() ? '#56b4e9' : '#0072b2') : '#d55e00', Math.min(1, Math.abs(value)));
      ctx.fillRect(left + b * size, top + a * size, size - 1, size - 1);
    }
  ctx.fillStyle = softInk();
  ctx.textBaseline = 'middle';
  const every = Math.ceil(16 / size);
  for (let a = 0; a < n; ++a) {
    ctx.textAlign = 'left';
    ctx.font = letters + 'px system-ui, sans-serif';
    ctx.fillText(labels[a], 0, top + (a + 0.5) * size);
    ctx.textAlign = 'center';
    if (a % every === 0) ctx.fillText(String(a + 1), left + (a + 0.5) * size, 10);
  }
  onPoint(figure, (x, y) => {
    const a = Math.floor((y - top) / size);
    const b = Math.floor((x - left) / size);
    if (a < 0 || b < 0 || a >= n || b >= n) return '';
    return data.names[a] + ' and ' + data.names[b] + ': ' + number(correlationOf(data, a, b));
  });
}

// Stripes tell bars apart without colour.
function stripes(color) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const ctx = tile.getContext('2d');
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  for (const shift of [-8, 0, 8]) {
    ctx.beginPath();
    ctx.moveTo(shift, 8);
    ctx.lineTo(shift + 8, 0);
    ctx.stroke();
  }
  return ctx.createPattern(tile, 'repeat');
}

function nameAxis(figure, names) {
  const most = figure.clientWidth < 500 ? 12 : 30;
  const side = axis('', {});
  side.title.display = false;
  side.grid.display = false;
  side.ticks = {color: ink(), autoSkip: false, callback: (value) => shorten(names[value], most)};
  return side;
}

function drawStability(figure, data) {
  figure.querySelector('.canvas').style.height = 4.5 + 1.35 * data.names.length + 'rem';
  const colors = palette();
  draw(figure.querySelector('canvas'), {
    type: 'bar',
    data: {labels: data.names, datasets: [{data: data.shares, borderColor: data.in_model.map((inside) => colors[inside ? 0 : 1]), borderWidth: 1,
                                           backgroundColor: data.in_model.map((inside) => (inside ? colors[0] : stripes(colors[1])))}]},
    options: {indexAxis: 'y', scales: {x: axis('share of the random halves', {min: 0, max: 1}), y: nameAxis(figure, data.names)},
              plugins: {legend: {display: false}, tooltip: {displayColors: false, callbacks: {
                label: (item) => 'selected on ' + number(100 * item.raw) + ' % of the halves' + (data.in_model[item.dataIndex] ? '' : '; not in the model')}}}},
  });
}

function drawShared(figure, data) {
  figure.querySelector('.canvas').style.height = 6 + (0.6 + 0.8 * data.models.length) * data.names.length + 'rem';
  const colors = palette();
  draw(figure.querySelector('canvas'), {
    type: 'bar',
    data: {labels: data.names, datasets: data.models.map((model, m) => ({
      label: shorten(model.name, 40), data: model.effects, borderColor: colors[m % colors.length], borderWidth: 1,
      backgroundColor: m % 2 ? stripes(colors[m % colors.length]) : colors[m % colors.length]}))},
    options: {indexAxis: 'y', scales: {x: axis(data.what), y: nameAxis(figure, data.names)},
              plugins: {legend: {position: 'top', labels: {color: ink()}}, tooltip: {callbacks: {
                label: (item) => item.dataset.label + ': ' + (item.raw === 0 ? 'not there' : number(item.raw))}}}},
  });
}
